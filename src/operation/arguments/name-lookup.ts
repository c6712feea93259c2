import { firstOf } from '../../domain/items.ts';
import { quote } from '../../domain/strings.ts';
import type { NameDirectory } from '../../language/summary-context.ts';
import type { Advisory } from '../../schema/advisory.ts';
import type { AcequiaError } from '../../schema/error.ts';
import { fieldMetadata } from '../../schema/field.ts';
import type { AnyOperation, ArgumentContext } from '../operation.ts';
import {
  defaultErrorCode,
  isLookupField,
  knownToolField,
  pathParameters,
  toolArgumentName,
  toolFields,
  toolNameOf,
} from '../operation-fields.ts';
import { isWrite } from '../operation-kind.ts';
import { validateArguments } from './argument-validation.ts';
import { resolveEntryName } from './entry-name.ts';
import { findRow } from './id-lookup.ts';
import { unnamedModule } from './name-errors.ts';
import {
  type NameField,
  type ResolvedName,
  resolveModule,
  resolveParcel,
} from './name-resolution.ts';
import type { OperationArguments } from './operation-arguments.ts';

/** An argument that holds the name of a module or parcel. */
export interface NameArgument {
  /** The name of the field. */
  readonly field: string;
  readonly kind: 'module' | 'parcel';
  readonly text: string;
  /** The name of what the call changes or adds. */
  readonly isEntry?: boolean;
}

/** The fields of a call before its names are looked up. */
export interface FieldsRead {
  /** A name is the value of the field for the id. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly names: readonly NameArgument[];
  readonly input: Readonly<Record<string, unknown>>;
  readonly checked: unknown;
  readonly advisories: readonly Advisory[];
}

/** Replaces the names by ids. */
export class NameLookup {
  readonly #operation: AnyOperation;
  readonly #context: ArgumentContext;
  readonly #fieldsRead: FieldsRead;
  readonly #advisories: Advisory[];
  readonly #values: Record<string, unknown>;

  constructor(operation: AnyOperation, fieldsRead: FieldsRead, context: ArgumentContext) {
    this.#operation = operation;
    this.#context = context;
    this.#fieldsRead = fieldsRead;
    this.#advisories = [...fieldsRead.advisories];
    this.#values = { ...fieldsRead.values };
  }

  async run(): Promise<OperationArguments> {
    const { names, input, checked } = this.#fieldsRead;
    const advisories = this.#advisories;
    if (names.length === 0) return { restArguments: this.#values, input, checked, advisories };

    for (const name of names) await (name.isEntry ? this.#lookUpEntry(name) : this.#lookUp(name));

    const restArguments = await this.#withIdOfRow();
    return { restArguments, input: this.#inputWithIds(restArguments), checked, advisories };
  }

  async #lookUp({ field, kind, text }: NameArgument): Promise<void> {
    const resolve = kind === 'module' ? resolveModule : resolveParcel;
    const resolved = await resolve(
      text,
      this.#context.directory,
      nameFieldOf(this.#operation, field),
    );
    this.#values[field] = resolved.id;
    this.#assertValidId(field, resolved.id);
    this.#advisories.push(...nameAdvisories(text, resolved));
  }

  async #lookUpEntry({ field, text }: NameArgument): Promise<void> {
    const { namedEntry } = this.#operation.tool ?? {};
    if (namedEntry === undefined) return;

    const name = text.trim();
    const { directory } = this.#context;
    const resolved = await resolveEntryName(name, namedEntry, this.#values, directory);
    this.#values[field] = resolved === null ? name : `#${resolved.id}`;
    if (resolved !== null) this.#advisories.push(...nameAdvisories(name, resolved));
  }

  /** A text such as "#0" is an id that no row can have. */
  #assertValidId(field: string, id: number): void {
    const operation = this.#operation;
    if (knownToolField(operation, field).safeParse(id).success) return;
    validateArguments(operation, this.#values, (name) => toolArgumentName(operation, name));
  }

  async #withIdOfRow(): Promise<Record<string, unknown>> {
    const { input } = this.#fieldsRead;
    const idField = rowIdField(this.#operation);
    if (idField === null || lookupFieldsOf(this.#operation, this.#values).length === 0)
      return this.#values;

    const fields = { ...this.#values };
    if (idField in input) fields[idField] = input[idField];
    const row = await findRow(this.#operation, fields, this.#context);
    this.#operation.tool?.idLookup?.check?.(row, input);

    const { moduleId, parcelId, ...others } = fields;
    return { ...others, [idField]: row.id };
  }

  /** The other fields are as they were checked before the look-up. */
  #inputWithIds(restArguments: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const input = { ...this.#fieldsRead.input };
    for (const { field } of this.#fieldsRead.names) input[field] = restArguments[field];

    const idField = rowIdField(this.#operation);
    if (idField === null) return input;
    for (const field of lookupFieldsOf(this.#operation, this.#values)) delete input[field];
    return { ...input, [idField]: restArguments[idField] };
  }
}

function nameFieldOf(operation: AnyOperation, field: string): NameField {
  const variant = operation.tool?.parcelVariant ?? operation;
  const takesParcel = toolFields(variant).some(
    ([, schema]) => fieldMetadata(schema).replacesModule,
  );
  const takesModule =
    operation.tool?.name !== undefined ||
    toolFields(operation).some(([, schema]) => fieldMetadata(schema).kind === 'module');

  return {
    field: toolArgumentName(operation, field),
    code: fieldMetadata(knownToolField(operation, field)).unknownCode ?? 'not_found',
    takesModule,
    tool: takesParcel ? toolNameOf(operation) : undefined,
    isWrite: isWrite(operation),
  };
}

/** The error of a call that lacks its module: it names the probes that may be meant. */
export async function missingModule(
  operation: AnyOperation,
  field: string,
  directory: NameDirectory,
): Promise<AcequiaError> {
  const { code, hint } = fieldMetadata(knownToolField(operation, field));
  return unnamedModule(
    {
      ...nameFieldOf(operation, field),
      code: code ?? defaultErrorCode(operation, field),
      missingScope: directory.missingScopes?.modules ?? null,
    },
    await directory.modules(),
    hint,
  );
}

export const lookupFieldsOf = (
  operation: AnyOperation,
  values: Readonly<Record<string, unknown>>,
): string[] => Object.keys(values).filter((field) => isLookupField(operation, field));

/** The path parameter that may be left out if a module or parcel is named; null without one. */
export const rowIdField = ({ tool, endpoint }: AnyOperation): string | null =>
  tool?.idLookup === undefined ? null : firstOf(pathParameters(endpoint));

function nameAdvisories(text: string, { onlyProbe, matchedName }: ResolvedName): Advisory[] {
  const advisories: Advisory[] = [];
  if (onlyProbe) advisories.push({ kind: 'only_probe_of_parcel', ...onlyProbe });
  if (matchedName !== undefined)
    advisories.push({ kind: 'name_understood', text: quote(text), name: matchedName });
  return advisories;
}
