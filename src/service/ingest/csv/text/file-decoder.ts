import { isAscii } from 'node:buffer';

/** Bytes that show whether a character beyond ASCII is UTF-8, which has at most four. */
const LONGEST_CHARACTER = 4;

/**
 * Decodes a file chunk by chunk, wherever its chunks end. Spreadsheets save "Unicode text" as
 * UTF-16, and those of western Europe still write CSV as Windows-1252, which shows at the first
 * character beyond ASCII.
 */
export class FileDecoder {
  #decoder: InstanceType<typeof TextDecoder> | null = null;
  #isStart = true;
  /** Bytes that do not yet show the encoding. */
  #undecided: Uint8Array = new Uint8Array();

  decode(chunk: Uint8Array): string {
    if (this.#decoder !== null) return this.#decoder.decode(chunk, { stream: true });

    const waiting = this.#undecided;
    const bytes = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]);
    this.#undecided = new Uint8Array();
    return this.#decodeUndecided(bytes, false);
  }

  end(): string {
    const text = this.#decodeUndecided(this.#undecided, true);
    return text + (this.#decoder?.decode() ?? '');
  }

  #decodeUndecided(bytes: Uint8Array, isEnd: boolean): string {
    if (this.#isStart) {
      if (bytes.length < 2 && !isEnd) return this.#wait(bytes);
      this.#isStart = false;

      const utf16 = utf16Of(bytes);
      if (utf16 !== null) return this.#start(utf16, bytes);
    }

    if (isAscii(bytes)) return asciiText(bytes);

    const special = bytes.findIndex((byte) => byte >= 0x80);
    const rest = bytes.subarray(special);
    const before = asciiText(bytes.subarray(0, special));
    if (rest.length < LONGEST_CHARACTER && !isEnd) return before + this.#wait(rest);
    return before + this.#start(isUtf8(rest, isEnd) ? 'utf-8' : 'windows-1252', rest);
  }

  #wait(bytes: Uint8Array): string {
    this.#undecided = bytes;
    return '';
  }

  #start(encoding: string, bytes: Uint8Array): string {
    this.#decoder = new TextDecoder(encoding);
    return this.#decoder.decode(bytes, { stream: true });
  }
}

const asciiText = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('latin1');

/** Without a byte order mark, every other byte of Latin text is 0. */
function utf16Of([first = 0, second = 0]: Uint8Array): string | null {
  if ((first === 0xff && second === 0xfe) || (first > 0 && second === 0)) return 'utf-16le';
  return (first === 0xfe && second === 0xff) || (first === 0 && second > 0) ? 'utf-16be' : null;
}

/** The bytes may end within a character unless they are the last. */
function isUtf8(bytes: Uint8Array, isEnd: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isEnd });
    return true;
  } catch {
    return false;
  }
}
