import { type ParseError, parse as parseJson, printParseErrorCode } from 'jsonc-parser';
import { parse as parseToml, TomlError } from 'smol-toml';
import { firstOf, lastOf } from '../../domain/items.ts';
import { RefusalInWords } from '../process/refusal-in-words.ts';
import type { ClientFile } from './client-files.ts';
import { INVALID_FILE } from './config-file.ts';

/** The message gives the position and the reason, without quoting the file. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError';
  readonly line: number;
  readonly column: number;

  constructor(line: number, column: number, reason: string) {
    super(`line ${line}, column ${column}: ${reason}`);
    this.line = line;
    this.column = column;
  }
}

export function parseClientFile({ format }: Pick<ClientFile, 'format'>, content: string): unknown {
  const text = content.replace(/^\uFEFF/, '');
  if (text.trim() === '') return {};
  return format === 'toml' ? tomlDocument(text) : jsonDocument(text, format === 'jsonc');
}

function jsonDocument(text: string, isLenient: boolean): unknown {
  const errors: ParseError[] = [];
  const document: unknown = parseJson(text, errors, {
    allowTrailingComma: isLenient,
    disallowComments: !isLenient,
  });
  const [first] = errors;
  if (first === undefined) return document;

  const lines = text.slice(0, first.offset).split('\n');
  // "CommaExpected" becomes " comma expected".
  const reason = printParseErrorCode(first.error).replace(
    /[A-Z]/g,
    (letter) => ` ${letter.toLowerCase()}`,
  );

  throw new UnreadableFileError(lines.length, lastOf(lines).length + 1, reason.trim());
}

function tomlDocument(text: string): unknown {
  try {
    return parseToml(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = firstOf(error.message.split('\n')).replace(/^Invalid TOML document: /, '');
    throw new UnreadableFileError(error.line, error.column, reason);
  }
}

/** For the commands that write the file. */
export function parseOrRefuse(file: ClientFile, content: string): unknown {
  try {
    return parseClientFile(file, content);
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    throw new RefusalInWords(INVALID_FILE, ({ connection }) =>
      connection.refusals.unreadable(file.path, file.client, error),
    );
  }
}
