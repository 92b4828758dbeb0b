// Shows a checked answer in a host of MCP Apps, which sends it as the result of the tool.
const main = document.querySelector('main');
const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');

function show({ _meta: meta, structuredContent: answer, content = [] }) {
  const markup = meta?.['kebab/html'];
  if (markup !== undefined) main.innerHTML = markup; // made by the templates of the pages, which escape every text
  else {
    const findings = (answer?.checks?.findings ?? []).map(
      ({ level, message }) => `${level === 'failed' ? '✗' : '?'} ${message}`,
    );
    main.textContent = [answer?.answer ?? content[0]?.text ?? '', ...findings].join('\n');
  }
}

function adopt({ theme } = {}) {
  if (theme !== undefined) document.documentElement.style.colorScheme = theme;
}

const HANDLERS = {
  'ui/notifications/tool-result': show,
  'ui/notifications/host-context-changed': adopt,
};

addEventListener('message', ({ source, data }) => {
  if (source !== parent || data?.jsonrpc !== '2.0') return;
  if (data.method === undefined) {
    adopt(data.result?.hostContext);
    send({ method: 'ui/notifications/initialized', params: {} });
  } else if (data.id !== undefined) send({ id: data.id, result: {} });
  else HANDLERS[data.method]?.(data.params ?? {});
});
new ResizeObserver(() => {
  const { scrollWidth: width, offsetHeight: height } = document.documentElement;
  send({ method: 'ui/notifications/size-changed', params: { width, height } });
}).observe(document.documentElement);
send({
  id: 1,
  method: 'ui/initialize',
  params: { protocolVersion: '2026-01-26', appInfo: { name: 'kebab', version: '1' }, appCapabilities: {} },
});
