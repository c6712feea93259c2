import { distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { AcequiaError } from '../schema/error.ts';
import { factsOf, innermost } from '../schema/field.ts';

/** How many faults one message tells. */
const TOLD = 5;

/** Something wrong in a file of JSON, at a path such as "modules[2].sensors[0].depth". */
export interface Fault {
  readonly path: string;
  /** What is wrong there and what is expected, as the end of a sentence that starts with the path. */
  readonly says: string;
}

/** The refusal of a file; it names the first faults. */
export function refusalOfFaults(faults: readonly Fault[], hint: string): AcequiaError {
  const told = faults.slice(0, TOLD).map(({ path, says }) => `${path} ${says}`);
  const more = faults.length > TOLD ? `\nand ${faults.length - TOLD} more` : '';
  return new AcequiaError({
    code: 'invalid_body',
    status: 400,
    message: `${told.join('\n')}${more}`,
    hint,
    field: faults[0]!.path,
  });
}

/** The JSON of a file that a person wrote; `name` says what file that is. */
export function jsonOf(text: string, name: string): unknown {
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
export const pathText = (path: Path): string =>
  path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    if (!/^\w+$/.test(step) || /^\d/.test(step)) return `${text}[${shown(step)}]`;
    return text === '' ? step : `${text}.${step}`;
  }, '') || 'The file';

export const shown = (value: unknown): string => {
  const text = (JSON.stringify(value) ?? 'nothing').replace(/\p{C}/gu, ' ');
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
};

/** What a schema finds wrong in a file, in the words of its own descriptions. */
export const faultsIn = (file: z.ZodTypeAny, { issues }: z.ZodError): Fault[] =>
  issues.flatMap((issue) => faultsOf(file, issue));

function faultsOf(file: z.ZodTypeAny, issue: z.ZodIssue): Fault[] {
  const path = pathText(issue.path);
  const schema = schemaAt(file, issue.path);
  if (issue.code === 'unrecognized_keys') {
    const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
    return issue.keys.map((key) => ({
      path: pathText([...issue.path, key]),
      says: `is not known there${nearest(key, known)}.`,
    }));
  }
  const isMissing = issue.code === 'invalid_type' && issue.received === 'undefined';
  return [{ path, says: `${isMissing ? 'is missing' : 'is not valid'}: ${expected(file, issue.path)}` }];
}

function nearest(key: string, known: readonly string[]): string {
  const far = (name: string): number => distance(key.toLowerCase(), name.toLowerCase());
  const best = [...known].sort((a, b) => far(a) - far(b))[0];
  if (best === undefined) return '';
  return far(best) <= Math.max(2, key.length / 3) ? `; ${best} is` : `; known are ${known.join(', ')}`;
}

/** What belongs at a place of the file, from the schema's own words. */
function expected(file: z.ZodTypeAny, path: Path): string {
  const schema = schemaAt(file, path);
  const hint = schema && factsOf(schema).hint;
  if (hint) return hint;
  return `expected ${(schema && descriptionOf(schema)) ?? 'something else'}.`;
}

const descriptionOf = (schema: z.ZodTypeAny): string | undefined => schema.description ?? unwrapped(schema).description;

/** The schema inside wrappings and refinements. */
function unwrapped(schema: z.ZodTypeAny): z.ZodTypeAny {
  const inner = innermost(schema);
  return inner instanceof z.ZodEffects ? unwrapped(inner.innerType()) : inner;
}

function schemaAt(file: z.ZodTypeAny, path: Path): z.ZodTypeAny | null {
  let schema: z.ZodTypeAny = file;
  for (const step of path) {
    const holder = unwrapped(schema);
    if (holder instanceof z.ZodObject && typeof step === 'string') schema = holder.shape[step];
    else if (holder instanceof z.ZodArray) schema = holder.element;
    else if (holder instanceof z.ZodRecord) schema = holder.valueSchema;
    else return null;
    if (schema === undefined) return null;
  }
  return unwrapped(schema) instanceof z.ZodObject ? unwrapped(schema) : schema;
}
