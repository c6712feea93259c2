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
 * Converts to ISO 8601: loggers write a space in place of T, slashes, or "+0000". `ownOffset` is that
 * of a text without one, such as "Z"; empty for local time. Null for any other text.
 */
export function toIsoText(text: string, ownOffset: string): string | null {
  const [, year, month, day, time, zone] = DATE_AND_TIME.exec(text.trim()) ?? [];
  if (year === undefined) return null;
  return `${year}-${month}-${day}T${time}${zone === undefined ? ownOffset : offsetOf(zone)}`;
}

function offsetOf(zone: string): string {
  if (/^(Z|UTC)$/i.test(zone)) return 'Z';
  return `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`;
}
