import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { InvalidArgumentError } from 'commander';
import { plainInputError } from '../../schema/error.ts';
import { expandHome } from './option-parsers.ts';

export type Variables = Readonly<Record<string, string>>;

/** A variable without a value counts as not set. */
export const parseEnvFile = (text: string): Variables =>
  Object.fromEntries(
    Object.entries(parseEnv(text)).flatMap(([name, value]) =>
      value === undefined || value.trim() === '' ? [] : [[name, value]],
    ),
  );

/**
 * A parser of an option, so that the variables are set before commander reads those of the other
 * options. What the environment sets already stays.
 */
export function loadEnvFile(path: string): string {
  const file = expandHome(path);
  for (const [name, value] of Object.entries(parseEnvFile(readEnvFile(file))))
    if (!process.env[name]?.trim()) process.env[name] = value;

  return file;
}

function readEnvFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new InvalidArgumentError(
      `It cannot be read (${(error as NodeJS.ErrnoException).code}). Give a file with lines such as ACEQUIA_DB=/srv/farm.db.`,
    );
  }
}

/** Within none of them does Node replace anything, but for \n between double quotes. */
const QUOTES = ["'", '`', '"'] as const;

/** Throws invalid_parameter for a value that no such file can hold. */
export const formatEnvFile = (variables: Variables): string =>
  Object.entries(variables)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${formatLine(name, value)}\n`)
    .join('');

function formatLine(name: string, value: string): string {
  const lines = QUOTES.map((quote) => `${name}=${quote}${value}${quote}`);
  const line = lines.find((text) => parseEnv(text)[name] === value);
  if (line !== undefined) return line;

  throw plainInputError(
    'invalid_parameter',
    `The value of ${name} has every kind of quotation mark, and cannot be written into a file of variables.`,
    { hint: 'In a URL write %22 for ", %27 for \' and %60 for `.', field: name },
  );
}
