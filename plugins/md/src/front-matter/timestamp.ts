const FORM = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?([Zz]|[+-]\d\d:\d\d)?)?$/;

/**
 * The moment that a timestamp names: RFC 3339, or a date alone (midnight UTC); without an offset it is UTC. Undefined for
 * anything else, and for days and times that do not exist.
 */
export function parseTimestamp(source: string): Date | undefined {
  const match = FORM.exec(source.trim());
  if (match === null) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '0', offset = 'Z'] = match;
  const clock = `${hour}:${minute}:${second === '60' ? '59' : second}.${fraction.padEnd(3, '0').slice(0, 3)}`;
  const local = new Date(`${year}-${month}-${day}T${clock}Z`);
  if (Number.isNaN(local.getTime()) || local.getUTCDate() !== Number(day) || hour === '24') return undefined;
  const moment = new Date(`${year}-${month}-${day}T${clock}${offset.toUpperCase()}`);
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}
