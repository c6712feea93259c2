import { moduleName, parcelName, type SummaryContext } from '../../language/summary-context.ts';
import { quote } from '../../language/text.ts';
import { type AcequiaError, invalidInput, notFound } from '../../schema/error.ts';
import {
  type AnyOperation,
  type ArgumentContext,
  type CallOperation,
  defaultErrorCode,
  type IdentifiedRow,
  type IdLookup,
  type LookupTarget,
  pathParameters,
} from '../operation.ts';

type Fields = Readonly<Record<string, unknown>>;

const MAX_LISTED = 10;
const PAGE_ROWS = 200;

export async function listedRows<Row>(
  { perform }: ArgumentContext,
  list: CallOperation,
  filter: LookupTarget,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await perform(list, { ...filter, limit: PAGE_ROWS, ...(cursor && { cursor }) });
    const { data, next_cursor } = page as { data: Row[]; next_cursor: string | null };
    rows.push(...data);
    cursor = next_cursor;
  }
  return rows;
}

const NOUNS = { alert: 'alert', schedule: 'schedule', installation: 'setup version' } as const;

export const idMissing = (operation: AnyOperation): AcequiaError => {
  const [id] = pathParameters(operation.endpoint);
  return invalidInput(defaultErrorCode(operation, id!), `${id} is missing.`, {
    hint: `Give ${id}, or the module or parcel that the ${NOUNS[operation.findsId!.kind]} is of.`,
    field: id!,
  });
};

/** The id of the one row of that probe or parcel. An id that was sent as well must be of it. */
export async function withFoundId(
  operation: AnyOperation,
  { moduleId, parcelId, ...fields }: Fields,
  context: ArgumentContext,
): Promise<Record<string, unknown>> {
  const lookup = operation.findsId!;
  const id = pathParameters(operation.endpoint)[0]!;
  if (moduleId !== undefined && parcelId !== undefined)
    throw invalidInput('INVALID_TARGET', 'Both module and parcel are given.', {
      hint: 'Give one of them.',
      field: 'parcel',
    });
  const target = { ...(moduleId !== undefined && { moduleId }), ...(parcelId !== undefined && { parcelId }) };
  const rows = await lookup.rows(target as LookupTarget, context);
  const owner = quote(await targetName(target as LookupTarget, context));
  if (fields[id] !== undefined) {
    if (!rows.some((each) => each.id === fields[id]))
      throw mismatch(operation, owner, fields[id], await listed(lookup, rows, context));
    return fields;
  }
  const found = chosen(rows, fields.isActive);
  if ('id' in found) return { ...fields, [id]: found.id };
  if (found.several.length === 0) throw noneOf(lookup, owner);
  throw ambiguous(operation, owner, await listed(lookup, found.several, context));
}

const targetName = ({ moduleId, parcelId }: LookupTarget, { directory, lang }: ArgumentContext): Promise<string> =>
  moduleId !== undefined ? moduleName(directory, moduleId) : parcelName(directory, parcelId!, lang);

/** The only active one, or the only one. What is to be stopped is active, what is to be resumed is not. */
function chosen(
  all: readonly IdentifiedRow[],
  isActive: unknown,
): IdentifiedRow | { several: readonly IdentifiedRow[] } {
  const likely = all.filter((each) => each.isActive !== (isActive === true));
  const several = likely.length > 0 ? likely : all;
  return several.length === 1 ? several[0]! : { several };
}

/** In English, as all messages. */
async function listed(lookup: IdLookup, rows: readonly IdentifiedRow[], context: ArgumentContext): Promise<string> {
  const wording: SummaryContext = { ...context, lang: 'en', isZoneDeclared: true };
  const texts = rows.slice(0, MAX_LISTED).map(async (row) => `${row.id} (${await lookup.describe(row, wording)})`);
  const more = rows.length > MAX_LISTED ? [`and ${rows.length - MAX_LISTED} more`] : [];
  return [...(await Promise.all(texts)), ...more].join('; ');
}

function ambiguous(operation: AnyOperation, owner: string, list: string): AcequiaError {
  const { kind } = operation.findsId!;
  const id = pathParameters(operation.endpoint)[0]!;
  return invalidInput(`AMBIGUOUS_${kind.toUpperCase()}`, `${owner} has several ${NOUNS[kind]}s: ${list}.`, {
    hint: `Ask which one is meant and pass its id as ${id}.`,
    field: id,
  });
}

const noneOf = ({ kind, noneHint }: IdLookup, owner: string): AcequiaError =>
  notFound(`${owner} has no ${NOUNS[kind]}.`, noneHint);

function mismatch(operation: AnyOperation, owner: string, sent: unknown, list: string): AcequiaError {
  const id = pathParameters(operation.endpoint)[0]!;
  const others = list === '' ? '' : ` It has ${list}.`;
  const message = `${owner} has no ${NOUNS[operation.findsId!.kind]} ${sent}.${others}`;
  return invalidInput(defaultErrorCode(operation, id), message, {
    hint: `Give either ${id}, or module or parcel.`,
    field: id,
  });
}
