import { z } from 'zod/v3';
import { firstOf } from '../../domain/items.ts';
import { quote } from '../../domain/text.ts';
import { isHourAlone } from '../../language/words/instant.ts';
import type { Advisory } from '../../schema/advisory.ts';
import { invalidInputError } from '../../schema/error.ts';
import { fieldMetadata, isInstantKind } from '../../schema/field.ts';
import type { AnyOperation, ArgumentContext, RunRead } from '../operation.ts';
import {
  isLookupField,
  knownToolField,
  pathParameters,
  toolArgumentName,
  toolFields,
  toolNameOf,
  withLang,
} from '../operation-fields.ts';
import { validateArguments } from './argument-validation.ts';
import { missingIdError, withFoundId } from './id-lookup.ts';
import {
  type NameField,
  type ResolvedName,
  resolveModule,
  resolveParcel,
} from './name-resolution.ts';
import { argumentsObject, readToolFields } from './tool-fields.ts';
import {
  readPastPeriod,
  readToolAmount,
  readToolClock,
  readToolDate,
  readToolInstant,
  readToolPoint,
} from './tool-values.ts';

export interface OperationArguments {
  /** By the name of the field, as the endpoint takes them. */
  readonly restArguments: Record<string, unknown>;
  /** After validation, as `run` of the operation takes them. */
  readonly input: Record<string, unknown>;
  readonly advisories: readonly Advisory[];
}

export const readToolArguments = (
  operation: AnyOperation,
  rawArguments: unknown,
  context: ArgumentContext,
): Promise<OperationArguments> =>
  new ToolArgumentReader(operation, context).read(argumentsObject(rawArguments));

/** An argument that holds the name of a module or parcel. */
interface NameArgument {
  /** The name of the field. */
  readonly field: string;
  readonly kind: 'module' | 'parcel';
  readonly text: string;
}

/** Reads the arguments of one call. */
class ToolArgumentReader {
  readonly #operation: AnyOperation;
  readonly #context: ArgumentContext;
  readonly #advisories: Advisory[] = [];
  /** By field. Until it is looked up, a name is the value of the field for the id. */
  readonly #values: Record<string, unknown> = {};
  readonly #names: NameArgument[] = [];

  constructor(operation: AnyOperation, context: ArgumentContext) {
    this.#operation = operation;
    this.#context = context;
  }

  /** Names are looked up last, so that a malformed argument is reported first. */
  async read(rawArguments: Record<string, unknown>): Promise<OperationArguments> {
    const operation = this.#operation;
    await this.#readValues(readToolFields(operation, rawArguments));
    this.#addComputedDefaults();

    const checked = validateArguments(
      this.#operationBeforeLookup(),
      this.#values,
      this.#argumentName,
    );
    operation.check?.(checked, this.#context);
    if (this.#names.length === 0)
      return { restArguments: this.#values, input: checked, advisories: this.#advisories };

    await this.#lookUpNames();
    const restArguments = await this.#withIdOfRow(checked);
    const input = this.#inputWithIds(checked, restArguments);
    return { restArguments, input, advisories: this.#advisories };
  }

  readonly #argumentName = (field: string): string => toolArgumentName(this.#operation, field);

  async #readValues(sentFields: Record<string, unknown>): Promise<void> {
    const fields = withLang(this.#operation, sentFields, this.#context.lang);

    for (const [field, value] of startsBeforeEnds(this.#operation, fields)) {
      const { kind } = fieldMetadata(knownToolField(this.#operation, field));
      const text = typeof value === 'string' ? value : null;

      if ((kind === 'module' || kind === 'parcel') && text !== null && text.trim() !== '') {
        this.#names.push({ field, kind, text });
        this.#values[field] = text;
      } else if (isInstantKind(kind) && text !== null)
        this.#values[field] = await this.#readInstant(field, text, fields);
      else this.#values[field] = this.#readValue(field, value);
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

    if (kind === 'date' && typeof value === 'string')
      return readToolDate(operation, field, value, context);
    if (kind === 'period' && typeof value === 'string')
      return readPastPeriod(operation, field, value, context);
    if (kind === 'point') return readToolPoint(value, context);
    return readToolClock(schema, readToolAmount(operation, field, value));
  }

  #addComputedDefaults(): void {
    const defaults = this.#operation.tool?.computedDefaults ?? {};
    for (const [field, compute] of Object.entries(defaults))
      this.#values[field] ??= compute(this.#values, this.#context);
  }

  #operationBeforeLookup(): AnyOperation {
    const operation = this.#operation;
    const lookupFields = this.#lookupFields();
    const idField = rowIdField(operation);
    const lacksId = idField !== null && this.#values[idField] === undefined;
    if (lacksId && lookupFields.length === 0) throw missingIdError(operation);

    const nameFields = this.#names.map(({ field }) => field);
    if (!lacksId && lookupFields.length + nameFields.length === 0) return operation;
    return operationBeforeLookup(operation, {
      lookupFields,
      nameFields,
      missingId: lacksId ? idField : null,
    });
  }

  #lookupFields(): string[] {
    return Object.keys(this.#values).filter((field) => isLookupField(this.#operation, field));
  }

  async #lookUpNames(): Promise<void> {
    for (const { field, kind, text } of this.#names) {
      const resolve = kind === 'module' ? resolveModule : resolveParcel;
      const resolved = await resolve(text, this.#context.directory, this.#nameField(field));
      this.#values[field] = resolved.id;
      this.#assertValidId(field, resolved.id);
      this.#advisories.push(...nameAdvisories(text, resolved));
    }
  }

  /** A text such as "#0" is an id that no row can have. */
  #assertValidId(field: string, id: number): void {
    if (knownToolField(this.#operation, field).safeParse(id).success) return;
    validateArguments(this.#operation, this.#values, this.#argumentName);
  }

  #nameField(field: string): NameField {
    const operation = this.#operation;
    const variant = operation.tool?.parcelVariant ?? operation;
    const takesParcel = toolFields(variant).some(
      ([, schema]) => fieldMetadata(schema).replacesModule,
    );
    const takesModule =
      operation.tool?.name !== undefined ||
      toolFields(operation).some(([, schema]) => fieldMetadata(schema).kind === 'module');

    return {
      field: this.#argumentName(field),
      code: fieldMetadata(knownToolField(operation, field)).unknownCode ?? 'not_found',
      takesModule,
      tool: takesParcel ? toolNameOf(operation) : undefined,
    };
  }

  async #withIdOfRow(checked: Record<string, unknown>): Promise<Record<string, unknown>> {
    const idField = rowIdField(this.#operation);
    if (idField === null || this.#lookupFields().length === 0) return this.#values;

    const fields = { ...this.#values };
    if (idField in checked) fields[idField] = checked[idField];
    return withFoundId(this.#operation, fields, this.#context);
  }

  /** The other fields are as they were checked before the look-up. */
  #inputWithIds(
    checked: Readonly<Record<string, unknown>>,
    restArguments: Readonly<Record<string, unknown>>,
  ): Record<string, unknown> {
    const input = { ...checked };
    for (const { field } of this.#names) input[field] = restArguments[field];

    const idField = rowIdField(this.#operation);
    if (idField === null) return input;
    for (const field of this.#lookupFields()) delete input[field];
    return { ...input, [idField]: restArguments[idField] };
  }
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

/** The path parameter that a module or parcel may stand in for; null if there is none. */
const rowIdField = ({ tool, endpoint }: AnyOperation): string | null =>
  tool?.idLookup === undefined ? null : firstOf(pathParameters(endpoint));

/** A bare time of day as an end is read from its start, which therefore comes first. */
function startsBeforeEnds(
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

function nameAdvisories(text: string, { onlyProbe, matchedName }: ResolvedName): Advisory[] {
  const advisories: Advisory[] = [];
  if (onlyProbe) advisories.push({ kind: 'only_probe_of_parcel', ...onlyProbe });
  if (matchedName !== undefined)
    advisories.push({ kind: 'name_understood', text: quote(text), name: matchedName });
  return advisories;
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
 * given.
 */
export function operationForArguments(
  operation: AnyOperation,
  { module, parcel }: Readonly<Record<string, unknown>>,
): AnyOperation {
  const parcelVariant = operation.tool?.parcelVariant;
  if (parcelVariant === undefined || isEmpty(parcel)) return operation;
  if (isEmpty(module)) return parcelVariant;

  throw invalidInputError('INVALID_TARGET', 'Both module and parcel are given.', {
    hint: 'Give module for one probe, or parcel for all probes of the parcel.',
    field: 'parcel',
  });
}
