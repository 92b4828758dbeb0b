/** Components of a calendar that a person sees. */
const SHOWN = /^(?:VEVENT|VTODO|VJOURNAL)$/i;
const LABELS: Readonly<Record<string, string>> = {
  SUMMARY: 'Event',
  DTSTART: 'Start',
  DTEND: 'End',
  DUE: 'Due',
  LOCATION: 'Location',
  ORGANIZER: 'Organizer',
  DESCRIPTION: 'Description',
};

/** The events of a calendar (RFC 5545), each as lines of what, when and where. */
export function calendarEvents(source: string): readonly string[] {
  const events: Map<string, string>[] = [];
  const open: string[] = [];
  for (const line of source
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/\n[ \t]/g, '')
    .split('\n')) {
    const [, name = '', parameters = '', value = ''] = /^([\w-]+)((?:;(?:"[^"]*"|[^":;])*)*):(.*)$/.exec(line) ?? [];
    const property = name.toUpperCase();
    if (property === 'BEGIN') {
      open.push(value.trim());
      if (SHOWN.test(value.trim())) events.push(new Map());
    } else if (property === 'END') open.pop();
    else if (SHOWN.test(open.at(-1) ?? '') && LABELS[property] !== undefined && value.trim() !== '')
      events.at(-1)?.set(property, valueOf(property, parameters, value.trim()));
  }
  return events.map((event) =>
    Object.entries(LABELS)
      .flatMap(([name, label]) => (event.has(name) ? [`${label}: ${event.get(name)}`] : []))
      .join('\n'),
  );
}

function valueOf(property: string, parameters: string, value: string): string {
  if (property === 'ORGANIZER') {
    const name = /;CN=(?:"([^"]*)"|([^;:]*))/i.exec(parameters);
    const address = value.replace(/^mailto:/i, '');
    return name === null ? address : `${name[1] ?? name[2] ?? ''} <${address}>`;
  }
  if (property === 'DTSTART' || property === 'DTEND' || property === 'DUE') return timeOf(parameters, value);
  return value.replaceAll(/\\([nN])|\\(.)/g, (_, line: string | undefined, other: string) =>
    line === undefined ? other : '\n',
  );
}

/** `20240115T093000Z` as `2024-01-15 09:30 UTC`. */
function timeOf(parameters: string, value: string): string {
  const [, year, month, day, hour, minute, utc] = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?$/.exec(value) ?? [];
  if (year === undefined) return value;
  const zone = /;TZID=(?:"([^"]*)"|([^;:]*))/i.exec(parameters);
  const time = hour === undefined ? '' : ` ${hour}:${minute}${utc === 'Z' ? ' UTC' : ''}`;
  return `${year}-${month}-${day}${time}${zone === null ? '' : ` (${zone[1] ?? zone[2]})`}`;
}
