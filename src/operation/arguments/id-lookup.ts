import { firstOf } from '../../domain/items.ts';
import { type ListPage, readAllRows } from '../../domain/list-pages.ts';
import { quote } from '../../domain/text.ts';
import {
  listNamesOrNull,
  moduleName,
  namesOfParcelProbes,
  parcelName,
  type SummaryContext,
  summaryContextOf,
} from '../../language/summary-context.ts';
import { type AcequiaError, invalidInputError, notFoundError } from '../../schema/error.ts';
import type {
  AnyOperation,
  ArgumentContext,
  CallOperation,
  IdentifiedRow,
  IdLookup,
  LookupTarget,
} from '../operation.ts';
import { defaultErrorCode, pathParameters } from '../operation-fields.ts';

const MAX_LISTED = 10;

export async function listedRows<Row>(
  { runRead }: ArgumentContext,
  list: CallOperation,
  filter: LookupTarget,
): Promise<Row[]> {
  return readAllRows(
    async (page) => (await runRead(list, { ...filter, ...page })) as ListPage<Row>,
  );
}

const NOUNS = { alert: 'alert', schedule: 'schedule', installation: 'setup version' } as const;

/** The id in the path of an operation, which the module or the parcel of its row may replace. */
interface ReplaceableId {
  readonly name: string;
  readonly lookup: IdLookup;
  readonly errorCode: string;
}

function replaceableIdOf(operation: AnyOperation): ReplaceableId {
  const lookup = operation.tool?.idLookup;
  if (lookup === undefined) throw new Error(`${operation.name} looks up no id`);

  const name = firstOf(pathParameters(operation.endpoint));
  return { name, lookup, errorCode: defaultErrorCode(operation, name) };
}

export function missingIdError(operation: AnyOperation): AcequiaError {
  const { name, lookup, errorCode } = replaceableIdOf(operation);
  return invalidInputError(errorCode, `${name} is missing.`, {
    hint: `Give ${name}, or the module or parcel that the ${NOUNS[lookup.kind]} is of.`,
    field: name,
  });
}

/**
 * Adds the id of the only row of the probe or parcel. An id that was sent too must be of that
 * target.
 */
export async function withFoundId(
  operation: AnyOperation,
  { moduleId, parcelId, ...fields }: Readonly<Record<string, unknown>>,
  context: ArgumentContext,
): Promise<Record<string, unknown>> {
  const id = replaceableIdOf(operation);
  const { name, lookup } = id;
  if (moduleId !== undefined && parcelId !== undefined)
    throw invalidInputError('INVALID_TARGET', 'Both module and parcel are given.', {
      hint: 'Give one of them.',
      field: 'parcel',
    });

  const target =
    moduleId === undefined ? { parcelId: Number(parcelId) } : { moduleId: Number(moduleId) };
  const rows = await lookup.rows(target, context);
  const owner = quote(await targetName(target, context));
  if (fields[name] !== undefined) {
    if (!rows.some((row) => row.id === fields[name]))
      throw idMismatchError(
        id,
        owner,
        fields[name],
        await formatRows(rows, context, describedBy(lookup)),
      );
    return fields;
  }

  const own = rows.filter((row) => isSameTarget(lookup.targetOf(row), target));
  const found = chooseRow(own, fields.isActive);
  if ('id' in found) return { ...fields, [name]: found.id };
  if (rows.length === 0)
    throw notFoundError(`${owner} has no ${NOUNS[lookup.kind]}.`, lookup.noneHint);
  if (own.length === 0)
    throw noOwnRowError(
      id,
      owner,
      rows,
      await formatRows(rows, context, describedWithTarget(lookup)),
    );

  throw ambiguousIdError(id, owner, await formatRows(found.several, context, describedBy(lookup)));
}

const targetName = (
  { moduleId, parcelId }: LookupTarget,
  { directory }: ArgumentContext,
): Promise<string> =>
  moduleId != null ? moduleName(directory, moduleId) : parcelName(directory, parcelId!);

/**
 * Prefers active rows, or inactive ones if the call activates a row. Returns the only candidate, or
 * several.
 */
function chooseRow(
  all: readonly IdentifiedRow[],
  isActive: unknown,
): IdentifiedRow | { several: readonly IdentifiedRow[] } {
  const preferred = all.filter((each) => each.isActive !== (isActive === true));
  const several = preferred.length > 0 ? preferred : all;
  return several.length === 1 ? firstOf(several) : { several };
}

type Describe = (row: IdentifiedRow, wording: SummaryContext) => Promise<string>;

/** In English, like all error messages. */
async function formatRows(
  rows: readonly IdentifiedRow[],
  context: ArgumentContext,
  describe: Describe,
): Promise<string> {
  const wording = summaryContextOf({ ...context, isZoneDeclared: true });
  const texts = rows.slice(0, MAX_LISTED).map((row) => describe(row, wording));
  const more = rows.length > MAX_LISTED ? [`and ${rows.length - MAX_LISTED} more`] : [];
  return [...(await Promise.all(texts)), ...more].join('; ');
}

const describedBy =
  (lookup: IdLookup): Describe =>
  async (row, wording) =>
    `${row.id} (${await lookup.describe(row, wording)})`;

/** Names the target of the row too, which is wider or narrower than the one in the call. */
const describedWithTarget =
  (lookup: IdLookup): Describe =>
  async (row, wording) => {
    const { moduleId, parcelId } = lookup.targetOf(row);
    const describeTarget = async (): Promise<string> => {
      if (parcelId == null) return `${await moduleName(wording.directory, moduleId!)} alone`;
      const parcel = await parcelName(wording.directory, parcelId);
      const probes = listNamesOrNull(await namesOfParcelProbes(wording.directory, parcelId));
      return `all of ${parcel}${probes === null ? '' : ` (${probes})`}`;
    };
    return `${NOUNS[lookup.kind]} ${row.id} is of ${await describeTarget()}: ${await lookup.describe(row, wording)}`;
  };

const isSameTarget = (row: LookupTarget, target: LookupTarget): boolean =>
  target.moduleId == null ? row.parcelId === target.parcelId : row.moduleId === target.moduleId;

function ambiguousIdError(
  { name, lookup: { kind } }: ReplaceableId,
  owner: string,
  list: string,
): AcequiaError {
  return invalidInputError(
    `AMBIGUOUS_${kind.toUpperCase()}`,
    `${owner} has several ${NOUNS[kind]}s: ${list}.`,
    {
      hint: `Ask which one is meant and pass its id as ${name}.`,
      field: name,
    },
  );
}

/**
 * A change for one probe must not change its whole parcel, nor one for the parcel a single probe.
 */
function noOwnRowError(
  { name, lookup: { kind, noneHint } }: ReplaceableId,
  owner: string,
  others: readonly IdentifiedRow[],
  list: string,
): AcequiaError {
  const hint =
    others.length === 1
      ? `Give ${name} ${firstOf(others).id} to change it.`
      : `Ask which one is meant and pass its id as ${name}.`;

  return notFoundError(
    `${owner} has no ${NOUNS[kind]} of its own; ${list}.`,
    `${hint} For one of its own: ${noneHint}`,
  );
}

function idMismatchError(
  { name, lookup, errorCode }: ReplaceableId,
  owner: string,
  sent: unknown,
  list: string,
): AcequiaError {
  const others = list === '' ? '' : ` It has ${list}.`;
  const message = `${owner} has no ${NOUNS[lookup.kind]} ${sent}.${others}`;
  return invalidInputError(errorCode, message, {
    hint: `Give either ${name}, or module or parcel.`,
    field: name,
  });
}
