/** Networks write an EUI-64 in upper or lower case, with or without dashes or colons. */
export function normalizeDeviceId(text: string): string {
  const id = text.trim();
  const compact = id.replace(/[-:]/g, '');
  return /^[\da-f]{16}$/i.test(compact) ? compact.toUpperCase() : id;
}
