import { type ParseError, parse as parseJson, printParseErrorCode } from 'jsonc-parser';
import { parse as parseToml, TomlError } from 'smol-toml';
import { firstOf, lastOf } from '../../domain/items.ts';
import { invalidInputError } from '../../schema/error.ts';
import type { ClientFile } from './client-files.ts';

/** The message gives the position and the reason, without quoting the file. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError';
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

  throw new UnreadableFileError(
    `line ${lines.length}, column ${lastOf(lines).length + 1}:${reason}`,
  );
}

function tomlDocument(text: string): unknown {
  try {
    return parseToml(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = firstOf(error.message.split('\n')).replace(/^Invalid TOML document: /, '');
    throw new UnreadableFileError(`line ${error.line}, column ${error.column}: ${reason}`);
  }
}

/** For the commands that write the file. */
export function parseOrRefuse(file: ClientFile, content: string): unknown {
  try {
    return parseClientFile(file, content);
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    throw invalidInputError(
      'INVALID_CLIENT_FILE',
      `${file.client} cannot read ${file.path}: ${error.message}.`,
      {
        hint: 'Nothing was written. Fix the file there first; until then the client starts no server at all.',
      },
    );
  }
}
