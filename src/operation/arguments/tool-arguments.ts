import { z } from 'zod/v3';
import { argument } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import { isHourAlone } from '../../language/words/instant.ts';
import type { Advisory } from '../../schema/advisory.ts';
import { invalidInputError } from '../../schema/error.ts';
import { fieldMetadata, isInstantKind } from '../../schema/field.ts';
import type { AnyOperation, ArgumentContext, RunRead } from '../operation.ts';
import {
  fieldNamesByArgument,
  inputField,
  knownToolField,
  pathParameters,
  toolArgumentName,
  toolFields,
  withLang,
} from '../operation-fields.ts';
import { validateArguments } from './argument-validation.ts';
import { missingIdError } from './id-lookup.ts';
import {
  type FieldsRead,
  lookupFieldsOf,
  missingModule,
  type NameArgument,
  NameLookup,
  rowIdField,
} from './name-lookup.ts';
import type { OperationArguments } from './operation-arguments.ts';
import { argumentsObject, readToolFields, type SentFields } from './tool-fields.ts';
import {
  type HourOfDate,
  readFlowOverArea,
  readPastPeriod,
  readToolAmounts,
  readToolClock,
  readToolDate,
  readToolDayOfYear,
  readToolInstant,
  readToolPoint,
  timesWithHour,
} from './tool-values.ts';

export const readToolArguments = (
  operation: AnyOperation,
  rawArguments: unknown,
  context: ArgumentContext,
): Promise<OperationArguments> => new ToolCallArguments().read(operation, rawArguments, context);

/**
 * The arguments of one call. If it runs again because the person chose one of several names, its
 * other arguments stay as they were read and checked.
 */
export class ToolCallArguments {
  /** By operation and time zone: a remote company may be of several zones. */
  readonly #fieldsRead = new Map<string, FieldsRead>();
  #firstReadAt = Number.POSITIVE_INFINITY;

  async read(
    operation: AnyOperation,
    rawArguments: unknown,
    context: ArgumentContext,
  ): Promise<OperationArguments> {
    const sentFields = readToolFields(operation, argumentsObject(rawArguments));
    const key = `${operation.name} ${context.zone}`;
    // Words are read as of an earlier time if another process sent them then.
    const isSameCall = context.now >= this.#firstReadAt;
    this.#firstReadAt = Math.min(context.now, this.#firstReadAt);
    const earlier = isSameCall ? this.#fieldsRead.get(key) : undefined;

    const fieldsRead =
      (earlier && withOtherNames(earlier, sentFields.fields)) ??
      (await new ToolFieldReader(operation, context).read(sentFields));
    this.#fieldsRead.set(key, fieldsRead);
    return new NameLookup(operation, fieldsRead, context).run();
  }
}

/** Undefined if the names are no longer sent in the same fields. */
function withOtherNames(
  earlier: FieldsRead,
  sent: Readonly<Record<string, unknown>>,
): FieldsRead | undefined {
  const names = earlier.names.flatMap((name) => {
    const text = sent[name.field];
    return typeof text === 'string' ? [{ ...name, text }] : [];
  });
  return names.length === earlier.names.length ? { ...earlier, names } : undefined;
}

/** Reads the fields of one call, and checks them before names are looked up. */
class ToolFieldReader {
  readonly #operation: AnyOperation;
  readonly #context: ArgumentContext;
  readonly #advisories: Advisory[] = [];
  readonly #values: Record<string, unknown> = {};
  readonly #names: NameArgument[] = [];
  readonly #hours: { readonly dateField: string; readonly hour: HourOfDate }[] = [];

  constructor(operation: AnyOperation, context: ArgumentContext) {
    this.#operation = operation;
    this.#context = context;
  }

  async read({ sent, fields }: SentFields): Promise<FieldsRead> {
    const operation = this.#operation;
    await this.#readValues(fields);
    this.#addHoursOfDates();
    this.#addComputedDefaults();
    await this.#assertModule();

    const input = validateArguments(
      this.#operationBeforeLookup(),
      this.#values,
      this.#argumentName,
      sent,
    );
    operation.tool?.check?.(input);
    const checked = operation.check?.(input, this.#context);
    return {
      values: this.#values,
      names: this.#names,
      input,
      checked,
      advisories: this.#advisories,
    };
  }

  readonly #argumentName = (field: string): string => toolArgumentName(this.#operation, field);

  async #readValues(sentFields: Record<string, unknown>): Promise<void> {
    const fields = withLang(this.#operation, sentFields, this.#context.lang);

    for (const [field, value] of startsBeforeEnds(this.#operation, fields)) {
      const { kind } = fieldMetadata(knownToolField(this.#operation, field));
      const text = typeof value === 'string' ? value : null;

      const entryKind = field === 'name' ? this.#operation.tool?.namedEntry?.kind : undefined;
      if (entryKind !== undefined && text !== null && text.trim() !== '') {
        this.#names.push({ field, kind: entryKind, text, isEntry: true });
        this.#values[field] = text;
      } else if ((kind === 'module' || kind === 'parcel') && text !== null && text.trim() !== '') {
        this.#names.push({ field, kind, text });
        this.#values[field] = text;
      } else if (isInstantKind(kind) && text !== null)
        this.#values[field] = await this.#readInstant(field, text, fields);
      else
        this.#values[field] =
          readFlowOverArea(this.#operation, field, value, fields, this.#context) ??
          this.#readValue(field, value);
    }
  }

  /** "6:30" alone is on the day of the stored instant; as an end, it is the first 6:30 after the start. */
  async #readInstant(
    field: string,
    text: string,
    fields: Record<string, unknown>,
  ): Promise<string> {
    const { endOf: startField } = fieldMetadata(knownToolField(this.#operation, field));
    const sentStart = startField === null ? undefined : this.#values[startField];
    const stored =
      sentStart === undefined && isHourAlone(text)
        ? await unchangedFields(this.#operation, fields, this.#context.runRead)
        : null;

    const { instant, advisory } = readToolInstant(this.#operation, field, text, {
      ...this.#context,
      startedAt: startField === null ? null : instantOrNull(sentStart ?? stored?.[startField]),
      dayOf: instantOrNull(stored?.[field]),
    });
    if (advisory !== null) this.#advisories.push(advisory);
    return instant;
  }

  #readValue(field: string, value: unknown): unknown {
    const operation = this.#operation;
    const context = this.#context;
    const schema = knownToolField(operation, field);
    const { kind } = fieldMetadata(schema);

    if (kind === 'date' && typeof value === 'string') {
      const { date, hour } = readToolDate(operation, field, value, context);
      if (hour !== null) this.#hours.push({ dateField: field, hour });
      return date;
    }
    if (kind === 'dayOfYear' && typeof value === 'string')
      return readToolDayOfYear(operation, field, value);
    if (kind === 'period' && typeof value === 'string')
      return readPastPeriod(operation, field, value, context);
    if (kind === 'point') return readToolPoint(value, context);
    return readToolClock(operation, field, readToolAmounts(operation, field, value, context));
  }

  #addHoursOfDates(): void {
    for (const { dateField, hour } of this.#hours)
      this.#values[hour.field] = timesWithHour(
        this.#operation,
        dateField,
        this.#values[hour.field],
        hour,
      );
  }

  #addComputedDefaults(): void {
    const defaults = this.#operation.tool?.computedDefaults ?? {};
    for (const [field, compute] of Object.entries(defaults))
      this.#values[field] ??= compute(this.#values, this.#context);
  }

  async #assertModule(): Promise<void> {
    const missing = toolFields(this.#operation).find(
      ([field, schema]) => isRequiredModule(schema) && this.#values[field] == null,
    );
    if (missing !== undefined)
      throw await missingModule(this.#operation, missing[0], this.#context.directory);
  }

  #operationBeforeLookup(): AnyOperation {
    const operation = this.#operation;
    const lookupFields = lookupFieldsOf(operation, this.#values);
    const idField = rowIdField(operation);
    const lacksId = idField !== null && this.#values[idField] === undefined;
    if (lacksId && lookupFields.length === 0) throw missingIdError(operation);

    const nameFields = this.#names.flatMap(({ field, isEntry }) => (isEntry ? [] : [field]));
    if (!lacksId && lookupFields.length + nameFields.length === 0) return operation;
    return operationBeforeLookup(operation, {
      lookupFields,
      nameFields,
      missingId: lacksId ? idField : null,
    });
  }
}

function isRequiredModule(schema: z.ZodTypeAny): boolean {
  const { kind, isRequiredInTools } = fieldMetadata(schema);
  return kind === 'module' && (isRequiredInTools || !schema.isOptional());
}

interface FieldsBeforeLookup {
  readonly lookupFields: readonly string[];
  /** The fields that hold names. */
  readonly nameFields: readonly string[];
  /** The field of the id that a lookup field stands in for; null if it was sent or none is. */
  readonly missingId: string | null;
}

/** By the JSON of the fields: building a schema takes longer than using it. */
const operationsBeforeLookup = new WeakMap<AnyOperation, Map<string, AnyOperation>>();

/** Its input takes names as texts, and lacks the id that a name stands in for. */
function operationBeforeLookup(operation: AnyOperation, fields: FieldsBeforeLookup): AnyOperation {
  const variants = operationsBeforeLookup.get(operation) ?? new Map<string, AnyOperation>();
  operationsBeforeLookup.set(operation, variants);

  const key = JSON.stringify(fields);
  const variant = variants.get(key) ?? withNamesAsTexts(operation, fields);
  variants.set(key, variant);
  return variant;
}

function withNamesAsTexts(
  operation: AnyOperation,
  { lookupFields, nameFields, missingId }: FieldsBeforeLookup,
): AnyOperation {
  const shape: z.ZodRawShape = {};
  for (const field of lookupFields) shape[field] = knownToolField(operation, field);
  for (const field of nameFields) shape[field] = z.string();

  const { input } = operation;
  const sentInput = missingId === null ? input : input.omit({ [missingId]: true });
  return { ...operation, input: sentInput.extend(shape) };
}

/** A bare time of day as an end is read from its start, which therefore comes first. */
export function startsBeforeEnds(
  operation: AnyOperation,
  fields: Record<string, unknown>,
): [field: string, value: unknown][] {
  const isEnd = (field: string): boolean =>
    fieldMetadata(knownToolField(operation, field)).endOf !== null;
  return Object.entries(fields).sort(([a], [b]) => Number(isEnd(a)) - Number(isEnd(b)));
}

function instantOrNull(text: unknown): number | null {
  const at = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

/**
 * Stored values of fields that a tool may leave out of an update. Null if there is no stored
 * resource or the id is malformed.
 */
export async function unchangedFields(
  { tool, endpoint, input }: AnyOperation,
  fields: Record<string, unknown>,
  run: RunRead,
): Promise<Record<string, unknown> | null> {
  const resource = tool?.storedResource;
  if (resource === undefined) return null;

  const idNames = pathParameters(endpoint);
  const ids = input
    .pick(Object.fromEntries(idNames.map((name) => [name, true])))
    .safeParse(Object.fromEntries(idNames.map((name) => [name, fields[name]])));
  if (!ids.success) return null;

  return resource.unchanged(await run(resource.read, ids.data), fields);
}

const isEmpty = (argument: unknown): boolean => argument == null || argument === '';

/**
 * `parcel` in place of `module` may select another operation. Throws INVALID_TARGET if both are
 * given and the operation takes only one.
 */
export function operationForArguments(
  operation: AnyOperation,
  { module, parcel }: Readonly<Record<string, unknown>>,
): AnyOperation {
  const parcelVariant = operation.tool?.parcelVariant;
  if (parcelVariant === undefined || isEmpty(parcel)) return operation;
  if (isEmpty(module)) return parcelVariant;
  if (inputField(operation, 'parcelId') !== undefined) return operation;

  throw invalidInputError('INVALID_TARGET', say`Both a probe and a parcel are given.`, {
    hint: say`Give ${argument('module')} for one probe, or ${argument('parcel')} for all probes of the parcel.`,
    field: 'parcel',
  });
}

/**
 * Without the empty arguments that the tool takes for its other target alone: a client may send
 * null, or an empty text, for every argument that it does not use.
 */
export function argumentsOfTarget(
  operation: AnyOperation,
  chosen: AnyOperation,
  rawArguments: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { parcelVariant } = operation.tool ?? {};
  if (parcelVariant === undefined) return { ...rawArguments };

  const other = fieldNamesByArgument(chosen === parcelVariant ? operation : parcelVariant);
  const own = fieldNamesByArgument(chosen);
  return Object.fromEntries(
    Object.entries(rawArguments).filter(
      ([name, value]) => !isEmpty(value) || own.has(name) || !other.has(name),
    ),
  );
}
