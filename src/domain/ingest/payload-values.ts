/** The 8 bytes of an EUI-64 in base64, as ChirpStack v3 writes them. */
const BASE64_EUI = /^[A-Za-z\d+/]{10}[AEIMQUYcgkosw048]=$/;

/**
 * Networks write the id of a device (an EUI-64) in upper or lower case, with or without dashes or
 * colons, or in base64.
 */
export function normalizeDeviceId(text: string): string {
  const id = text.trim();
  if (BASE64_EUI.test(id)) return toHex(atob(id));
  const compact = id.replace(/[-:]/g, '');
  return /^[\da-f]{16}$/i.test(compact) ? compact.toUpperCase() : id;
}

const toHex = (bytes: string): string =>
  [...bytes]
    .map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();

const DATE_AND_TIME =
  /^(\d{4})[-/](\d{2})[-/](\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?) ?(Z|UTC|[+-]\d{2}(?::?\d{2})?)?$/i;

/**
 * Converts to ISO 8601: loggers write a space in place of T, slashes, "+0000", or UTC without an
 * offset. Any other text is returned unchanged.
 */
export function toIsoText(text: string, isUtc: boolean): string {
  const [, year, month, day, time, zone] = DATE_AND_TIME.exec(text.trim()) ?? [];
  if (year === undefined) return text;
  return `${year}-${month}-${day}T${time}${offsetOf(zone, isUtc)}`;
}

function offsetOf(zone: string | undefined, isUtc: boolean): string {
  if (zone === undefined) return isUtc ? 'Z' : '';
  if (/^(Z|UTC)$/i.test(zone)) return 'Z';
  return `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`;
}
