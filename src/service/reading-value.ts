/** A decimal number with a point, as CSV writes it; NaN for anything else, also for infinities and other bases. */
export function readValue(text: string): number {
  const value = Number(text);
  // Number('') is 0, Number('0x10') is 16, Number('Infinity') is infinite.
  if (value - value !== 0) return Number.NaN;
  const second = text.charCodeAt(1);
  const isPlain = text.charCodeAt(0) > 32 && !(second > 57 && second !== 69 && second !== 101);
  return isPlain || /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? value : Number.NaN;
}

/** Why a text is no value. */
export function valueRefusal(text: string): string {
  const value = text.trim();
  if (value === '') return 'no value';
  if (/^[+-]?\d+,\d+$/.test(value)) return 'value has a decimal comma';
  const isBounded = !/^[+-]?(nan|inf)$/i.test(value) && Math.abs(Number(value)) !== Number.POSITIVE_INFINITY;
  return isBounded ? 'value is not a number' : 'value is not finite';
}
