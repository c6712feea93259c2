const UTF8 = /^charset\s*=\s*"?utf-?8"?$/;
const HEADER_PRESENT = /^header\s*=\s*"?present"?$/;

/**
 * True if a Content-Type header names this type, in UTF-8 and with no parameters but `allowed`. The
 * header is split rather than matched as a whole: a pattern with optional spaces around every part
 * takes quadratic time.
 */
function isUtf8Type(header: string, type: string, allowed?: RegExp): boolean {
  const [name, ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  return (
    name === type &&
    parameters.every((each) => each === '' || UTF8.test(each) || allowed?.test(each))
  );
}

export const isJsonType = (header: string): boolean => isUtf8Type(header, 'application/json');

export const isCsvType = (header: string): boolean =>
  isUtf8Type(header, 'text/csv', HEADER_PRESENT);
