import { distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { outlineFault } from '../domain/outline.ts';
import { nulIn, wellFormed } from '../operation/stored-text.ts';
import { AcequiaError } from '../schema/error.ts';
import { type Farm, farmFile } from '../schema/farm.ts';
import { factsOf, innermost } from '../schema/field.ts';

/** How many faults one message tells. */
const TOLD = 5;

/** Something wrong in a farm file, at a JSON path such as "modules[2].sensors[0].depth". */
export interface Fault {
  readonly path: string;
  /** What is wrong there and what is expected, as the end of a sentence that starts with the path. */
  readonly says: string;
}

/** The refusal of a farm file; it names the first faults. */
export function farmRefusal(faults: readonly Fault[]): AcequiaError {
  const told = faults.slice(0, TOLD).map(({ path, says }) => `${path} ${says}`);
  const more = faults.length > TOLD ? `\nand ${faults.length - TOLD} more` : '';
  return new AcequiaError({
    code: 'invalid_body',
    status: 400,
    message: `${told.join('\n')}${more}`,
    hint: 'Nothing was imported. Mend the file; acequia import --print-schema prints what it may hold.',
    field: faults[0]!.path,
  });
}

/** The text of a farm file as a farm that is sound in itself; what it refers to in the store is checked later. */
export function readFarm(text: string): Farm {
  const given = readJson(text);
  const nul = nulIn(given);
  if (nul) throw farmRefusal([{ path: pathText(nul), says: 'holds the character U+0000, which no store keeps.' }]);
  const parsed = farmFile.safeParse(wellFormed(given));
  if (!parsed.success) throw farmRefusal(parsed.error.issues.flatMap(faultsOf));
  const faults = [
    ...repeatedKeys(parsed.data),
    ...badOutlines(parsed.data),
    ...badLayers(parsed.data),
    ...halfPositions(parsed.data),
  ];
  if (faults.length > 0) throw farmRefusal(faults);
  return parsed.data;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const position = /position (\d+)/.exec((error as Error).message)?.[1];
    const before = text.slice(0, position === undefined ? text.length : Number(position)).split('\n');
    throw new AcequiaError({
      code: 'invalid_body',
      status: 400,
      message: `The farm file is not JSON: something is wrong at line ${before.length}, column ${before.at(-1)!.length + 1}.`,
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

const shown = (value: unknown): string => {
  const text = (JSON.stringify(value) ?? 'nothing').replace(/\p{C}/gu, ' ');
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
};

function faultsOf(issue: z.ZodIssue): Fault[] {
  const path = pathText(issue.path);
  const schema = schemaAt(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
    return issue.keys.map((key) => ({
      path: pathText([...issue.path, key]),
      says: `is not known there${nearest(key, known)}.`,
    }));
  }
  const isMissing = issue.code === 'invalid_type' && issue.received === 'undefined';
  return [{ path, says: `${isMissing ? 'is missing' : 'is not valid'}: ${expected(issue.path)}` }];
}

function nearest(key: string, known: readonly string[]): string {
  const far = (name: string): number => distance(key.toLowerCase(), name.toLowerCase());
  const best = [...known].sort((a, b) => far(a) - far(b))[0];
  if (best === undefined) return '';
  return far(best) <= Math.max(2, key.length / 3) ? `; ${best} is` : `; known are ${known.join(', ')}`;
}

/** What belongs at a place of the file, from the schema's own words. */
function expected(path: Path): string {
  const schema = schemaAt(path);
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

function schemaAt(path: Path): z.ZodTypeAny | null {
  let schema: z.ZodTypeAny = farmFile;
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

/** Keys by which rows are known again must be one of their kind in a file; so must module names. */
function repeatedKeys(farm: Farm): Fault[] {
  const repeats = <T>(
    list: readonly T[] | undefined,
    place: string,
    key: string,
    keyOf: (each: T) => string | null | undefined,
  ): Fault[] => {
    const first = new Map<string, number>();
    return (list ?? []).flatMap((each, index) => {
      const value = keyOf(each);
      if (value == null) return [];
      const before = first.get(value);
      if (before === undefined) first.set(value, index);
      return before === undefined
        ? []
        : [{ path: `${place}[${index}].${key}`, says: `is that of ${place}[${before}] again: ${shown(value)}.` }];
    });
  };
  return [
    ...repeats(farm.users, 'users', 'email', (user) => user.email.toLowerCase()),
    ...repeats(farm.parcels, 'parcels', 'name', (parcel) => parcel.name),
    ...repeats(farm.gateways, 'gateways', 'imei', (gateway) => gateway.imei),
    ...repeats(farm.modules, 'modules', 'uid', (module) => module.uid),
    ...repeats(farm.modules, 'modules', 'name', (module) => module.name),
    ...(farm.modules ?? []).flatMap(({ sensors }, index) =>
      repeats(sensors, `modules[${index}].sensors`, 'depth', ({ type, depth }) => `${type} at ${depth ?? 'no depth'}`),
    ),
  ];
}

const badOutlines = (farm: Farm): Fault[] =>
  (farm.parcels ?? []).flatMap(({ geometry }, index) => {
    const fault = geometry && outlineFault(geometry);
    return fault
      ? [{ path: `parcels[${index}].geometry${fault.path}`, says: `is not valid: expected ${fault.expected}.` }]
      : [];
  });

/** A layer ends below its top, and none begins above the end of another. */
const badLayers = (farm: Farm): Fault[] =>
  (farm.parcels ?? []).flatMap(({ soilProfile = [] }, index) =>
    soilProfile.flatMap((layer, at) => {
      const path = `parcels[${index}].soilProfile[${at}]`;
      if (layer.depthBottomCm <= layer.depthTopCm)
        return [{ path: `${path}.depthBottomCm`, says: 'is not valid: expected a bottom below the top.' }];
      const other = soilProfile.findIndex(
        (each, before) => before < at && each.depthTopCm < layer.depthBottomCm && layer.depthTopCm < each.depthBottomCm,
      );
      return other < 0 ? [] : [{ path, says: `overlaps parcels[${index}].soilProfile[${other}].` }];
    }),
  );

const halfPositions = (farm: Farm): Fault[] =>
  (farm.gateways ?? []).flatMap(({ status }, index) => {
    if (!status || (status.lat == null) === (status.lon == null)) return [];
    const missing = status.lat == null ? 'lat' : 'lon';
    return [{ path: `gateways[${index}].status.${missing}`, says: 'is missing: a position has both lat and lon.' }];
  });
