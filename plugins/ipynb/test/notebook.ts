/** A notebook with a cell of each kind. */
export const NOTEBOOK = JSON.stringify({
  nbformat: 4,
  nbformat_minor: 5,
  metadata: { kernelspec: { name: 'python3', language: 'python' } },
  cells: [
    { cell_type: 'markdown', metadata: {}, source: ['# Tide analysis\n', '\n', 'Tides of the *harbour*.'] },
    {
      cell_type: 'code',
      execution_count: 1,
      metadata: {},
      source: 'import tides\ntides.plot()',
      outputs: [
        { output_type: 'stream', name: 'stdout', text: ['high at 6\n', 'low at 12\n'] },
        { output_type: 'display_data', data: { 'image/png': 'iVBORw0KGgo=', 'text/plain': '<Figure>' } },
      ],
    },
    { cell_type: 'raw', metadata: {}, source: 'kept as it is' },
    { cell_type: 'markdown', metadata: {}, source: '## Results\n\nSpring tides are higher.' },
  ],
});
