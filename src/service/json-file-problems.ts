import { distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { AcequiaError } from '../schema/error.ts';
import { fieldMetadata, unwrapOptional } from '../schema/field.ts';

/** How many faults one message tells. */
const MAX_LISTED_PROBLEMS = 5;

/** Something wrong in a file of JSON, at a path such as "modules[2].sensors[0].depth". */
export interface FileProblem {
  readonly path: string;
  /** What is wrong there and what is expected, as the end of a sentence that starts with the path. */
  readonly description: string;
}

/** The refusal of a file; it names the first faults. */
export function fileProblemsError(faults: readonly FileProblem[], hint: string): AcequiaError {
  const lines = faults.slice(0, MAX_LISTED_PROBLEMS).map(({ path, description }) => `${path} ${description}`);
  const more = faults.length > MAX_LISTED_PROBLEMS ? `\nand ${faults.length - MAX_LISTED_PROBLEMS} more` : '';
  return new AcequiaError({
    code: 'invalid_body',
    status: 400,
    message: `${lines.join('\n')}${more}`,
    hint,
    field: faults[0]!.path,
  });
}

/** The JSON of a file that a person wrote; `name` says what file that is. */
export function parseJsonFile(text: string, name: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const position = /position (\d+)/.exec((error as Error).message)?.[1];
    const before = text.slice(0, position === undefined ? text.length : Number(position)).split('\n');
    throw new AcequiaError({
      code: 'invalid_body',
      status: 400,
      message: `The ${name} is not JSON: something is wrong at line ${before.length}, column ${before.at(-1)!.length + 1}.`,
      hint: 'Look for a missing comma, bracket or quote there or just before.',
    });
  }
}

type Path = readonly (string | number)[];

/** Where in the file, as a person would write it. */
export const formatPath = (path: Path): string =>
  path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    if (!/^\w+$/.test(step) || /^\d/.test(step)) return `${text}[${jsonExcerpt(step)}]`;
    return text === '' ? step : `${text}.${step}`;
  }, '') || 'The file';

export const jsonExcerpt = (value: unknown): string => {
  const text = (JSON.stringify(value) ?? 'nothing').replace(/\p{C}/gu, ' ');
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
};

/** What a schema finds wrong in a file, in the words of its own descriptions. */
export const schemaProblems = (file: z.ZodTypeAny, { issues }: z.ZodError): FileProblem[] =>
  issues.flatMap((issue) => problemsOfIssue(file, issue));

function problemsOfIssue(file: z.ZodTypeAny, issue: z.ZodIssue): FileProblem[] {
  const path = formatPath(issue.path);
  const schema = schemaAt(file, issue.path);
  if (issue.code === 'unrecognized_keys') {
    const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
    return issue.keys.map((key) => ({
      path: formatPath([...issue.path, key]),
      description: `is not known there${suggestKey(key, known)}.`,
    }));
  }
  const isMissing = issue.code === 'invalid_type' && issue.received === 'undefined';
  return [{ path, description: `${isMissing ? 'is missing' : 'is not valid'}: ${describeExpected(file, issue.path)}` }];
}

function suggestKey(key: string, known: readonly string[]): string {
  const distanceTo = (name: string): number => distance(key.toLowerCase(), name.toLowerCase());
  const best = [...known].sort((a, b) => distanceTo(a) - distanceTo(b))[0];
  if (best === undefined) return '';
  return distanceTo(best) <= Math.max(2, key.length / 3) ? `; ${best} is` : `; known are ${known.join(', ')}`;
}

/** What belongs at a place of the file, from the schema's own words. */
function describeExpected(file: z.ZodTypeAny, path: Path): string {
  const schema = schemaAt(file, path);
  const hint = schema && fieldMetadata(schema).hint;
  if (hint) return hint;
  return `expected ${(schema && descriptionOf(schema)) ?? 'something else'}.`;
}

const descriptionOf = (schema: z.ZodTypeAny): string | undefined =>
  schema.description ?? unwrapRefinements(schema).description;

/** The schema inside wrappings and refinements. */
function unwrapRefinements(schema: z.ZodTypeAny): z.ZodTypeAny {
  const inner = unwrapOptional(schema);
  return inner instanceof z.ZodEffects ? unwrapRefinements(inner.innerType()) : inner;
}

function schemaAt(file: z.ZodTypeAny, path: Path): z.ZodTypeAny | null {
  let schema: z.ZodTypeAny = file;
  for (const step of path) {
    const container = unwrapRefinements(schema);
    if (container instanceof z.ZodObject && typeof step === 'string') schema = container.shape[step];
    else if (container instanceof z.ZodArray) schema = container.element;
    else if (container instanceof z.ZodRecord) schema = container.valueSchema;
    else return null;
    if (schema === undefined) return null;
  }
  return unwrapRefinements(schema) instanceof z.ZodObject ? unwrapRefinements(schema) : schema;
}
