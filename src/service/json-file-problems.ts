import { visit } from 'jsonc-parser';
import { z } from 'zod/v3';
import { firstOf, lastOf } from '../domain/items.ts';
import { singleLine } from '../domain/strings.ts';
import { argument, argumentNames } from '../domain/text/program-names.ts';
import { join, say, verbatim, word } from '../domain/text/say.ts';
import type { Name, Text } from '../domain/text/text.ts';
import { nearestWord } from '../language/words/nearest-word.ts';
import { type AcequiaError, invalidInputError } from '../schema/error.ts';
import { expectedText } from '../schema/expected.ts';
import { fieldMetadata, unwrapModifiers } from '../schema/field.ts';

const MAX_LISTED_PROBLEMS = 5;

export interface FileProblem {
  readonly path: string;
  /** The end of a sentence that starts with the path. */
  readonly description: Text;
}

export function fileProblemsError(problems: readonly FileProblem[], hint: Text): AcequiaError {
  const lines = problems
    .slice(0, MAX_LISTED_PROBLEMS)
    .map(({ path, description }) => say`${verbatim(path)} ${description}`);
  const others = problems.length - MAX_LISTED_PROBLEMS;
  const more = others > 0 ? say`and ${others} more` : null;

  return invalidInputError('invalid_body', join([...lines, more], say`\n`), {
    hint,
    field: firstOf(problems).path,
  });
}

type JsonFileName = 'farm file' | 'map' | 'list of devices';

export function parseJsonFile(text: string, name: JsonFileName): unknown {
  const json = text.replace(/^\uFEFF/, '');
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch (error) {
    const position = /position (\d+)/.exec((error as Error).message)?.[1];
    const before = json
      .slice(0, position === undefined ? missingValueAt(json) : Number(position))
      .split('\n');
    throw invalidInputError(
      'invalid_body',
      say`The ${word(name)} is not JSON: something is wrong at line ${before.length}, column ${lastOf(before).length + 1}.`,
      { hint: say`Look for a missing comma, bracket or quote there or just before.` },
    );
  }

  assertNamesOnce(json, name);
  return parsed;
}

/** Of two equal names in an object, JSON.parse leaves out the first without a word. */
function assertNamesOnce(json: string, name: JsonFileName): void {
  const objects: Set<string>[] = [];
  visit(json, {
    onObjectBegin: () => void objects.push(new Set()),
    onObjectEnd: () => void objects.pop(),
    onObjectProperty: (property, _offset, _length, line) => {
      const names = lastOf(objects);
      if (names.has(property))
        throw invalidInputError(
          'invalid_body',
          say`The ${word(name)} names ${jsonExcerpt(property)} twice, the second time at line ${line + 1}.`,
          { hint: say`Keep one of the two.` },
        );
      names.add(property);
    },
  });
}

/**
 * V8 gives no position where it expects a value and finds none, as in `[1, ]` or `"dryRun": True`.
 */
function missingValueAt(json: string): number {
  // All before the error is valid, so a quote there always belongs to a string.
  const withoutStrings = json.replace(/"(?:[^"\\]|\\.)*"?/g, (string) => '"'.repeat(string.length));
  const match =
    /(?:^|[,:]|\[(?![ \t\r\n]*\]))[ \t\r\n]*(?!["{[\d \t\r\n-]|(?:true|false|null)\b)/.exec(
      withoutStrings,
    );
  return match === null ? json.length : match.index + match[0].length;
}

type Path = readonly (string | number)[];

export function formatPath(path: Path): string {
  if (path.length === 0) return 'The file';

  let text = '';
  for (const step of path)
    if (typeof step === 'number') text += `[${step}]`;
    else if (!/^\w+$/.test(step) || /^\d/.test(step)) text += `[${excerptOf(step)}]`;
    else text += text === '' ? step : `.${step}`;
  return text;
}

const excerptOf = (value: unknown): string => {
  const text = singleLine(JSON.stringify(value) ?? 'nothing');
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
};

export const jsonExcerpt = (value: unknown): Name => verbatim(excerptOf(value));

export const schemaProblems = (file: z.ZodTypeAny, { issues }: z.ZodError): FileProblem[] =>
  issues.flatMap((issue) => problemsOfIssue(file, issue));

function problemsOfIssue(file: z.ZodTypeAny, issue: z.ZodIssue): FileProblem[] {
  const path = formatPath(issue.path);
  const schema = schemaAt(file, issue.path);
  if (issue.code === 'unrecognized_keys') {
    const knownKeys = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
    return issue.keys.map((key) => ({
      path: formatPath([...issue.path, key]),
      description: say`is not known there${keySuggestion(key, knownKeys)}`,
    }));
  }

  const isMissing = issue.code === 'invalid_type' && issue.received === 'undefined';
  return [
    {
      path,
      description: say`${isMissing ? say`is missing` : say`is not valid`}: ${describeExpected(file, issue)}`,
    },
  ];
}

/** The end of the sentence. */
function keySuggestion(key: string, knownKeys: readonly string[]): Text {
  if (knownKeys.length === 0) return say`.`;
  const nearest = nearestWord(key, knownKeys);
  return nearest === null
    ? say`; the known keys are ${argumentNames(knownKeys)}.`
    : say`; did you mean ${argument(nearest)}?`;
}

function describeExpected(file: z.ZodTypeAny, issue: z.ZodIssue): Text {
  const schema = schemaAt(file, issue.path);
  const hint = schema && fieldMetadata(schema).hint;
  if (hint) return hint;
  const isAboutValue = issue.code === 'custom' && issue.params?.isAboutValue === true;
  if (isAboutValue) return say`expected ${expectedText(issue)}.`;
  return say`expected ${verbatim((schema && descriptionOf(schema)) ?? 'something else')}.`;
}

const descriptionOf = (schema: z.ZodTypeAny): string | undefined =>
  schema.description ?? unwrapRefinements(schema).description;

function unwrapRefinements(schema: z.ZodTypeAny): z.ZodTypeAny {
  const inner = unwrapModifiers(schema);
  return inner instanceof z.ZodEffects ? unwrapRefinements(inner.innerType()) : inner;
}

function schemaAt(file: z.ZodTypeAny, path: Path): z.ZodTypeAny | null {
  let schema: z.ZodTypeAny = file;
  for (const step of path) {
    const container = unwrapRefinements(schema);
    if (container instanceof z.ZodObject && typeof step === 'string')
      schema = container.shape[step];
    else if (container instanceof z.ZodArray) schema = container.element;
    else if (container instanceof z.ZodRecord) schema = container.valueSchema;
    else return null;
    if (schema === undefined) return null;
  }

  // Callers read the keys of an object, and the description of a field, which may stand on its
  // refinements.
  return unwrapRefinements(schema) instanceof z.ZodObject ? unwrapRefinements(schema) : schema;
}
