/** Writes CSV independently of the reader: every quote, line end and byte is chosen here. */
export interface CsvForm {
  readonly delimiter: ',' | ';' | '\t' | '|';
  readonly lineEnd: '\n' | '\r\n' | '\r';
  readonly encoding: 'utf8' | 'utf8-bom' | 'utf16le' | 'utf16be' | 'latin1';
  readonly decimal: '.' | ',';
  /** True to quote every cell, not only those that need it. */
  readonly quotesAll: boolean;
}

export function writeCsv(rows: readonly (readonly string[])[], form: CsvForm): Uint8Array {
  const needsQuotes = new RegExp(`["\\r\\n${form.delimiter === '|' ? '\\|' : form.delimiter}]`);
  const cellText = (cell: string): string =>
    form.quotesAll || needsQuotes.test(cell) ? `"${cell.split('"').join('""')}"` : cell;
  const text = rows.map((row) => row.map(cellText).join(form.delimiter) + form.lineEnd).join('');
  return encode(text, form.encoding);
}

function encode(text: string, encoding: CsvForm['encoding']): Uint8Array {
  if (encoding === 'utf8') return Buffer.from(text);
  if (encoding === 'utf8-bom') return Buffer.from(`\ufeff${text}`);
  if (encoding === 'latin1') return Buffer.from(text, 'latin1');

  const littleEndian = Buffer.from(`\ufeff${text}`, 'utf16le');
  return encoding === 'utf16le' ? littleEndian : littleEndian.swap16();
}

export function* inChunks(bytes: Uint8Array, length: number): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += length)
    yield bytes.subarray(start, start + length);
}
