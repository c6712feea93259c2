import {
  type ChosenFields,
  choiceOf,
  type FieldChoice,
  fieldNameOf,
} from '../../../../domain/ingest/field-choices.ts';
import { itemAt } from '../../../../domain/items.ts';
import { foldText } from '../../../../domain/strings.ts';
import { exact } from '../../../../domain/text/figures.ts';
import { argument, code, operationName } from '../../../../domain/text/program-names.ts';
import { quotedName, say, verbatim } from '../../../../domain/text/say.ts';
import { listSentFields, type SentField } from '../../../../language/ingest/field-texts.ts';
import { describeReason } from '../../../../language/ingest/import-report.ts';
import { suggestedFields } from '../../../../language/ingest/suggested-fields.ts';
import { invalidInputError } from '../../../../schema/error.ts';
import type { UnassignedReading } from '../../../../store/ingest/unassigned-readings.ts';
import { type DescribedField, type FieldMeaning, parseFields } from './field-grammar.ts';
import { measureField } from './field-measurements.ts';

/** The fields of a device, as far as they are known before a person chooses. */
export interface FieldsOfDevice {
  /** Chosen earlier, for the device or else for its model. */
  readonly chosen: ChosenFields;
  /** The readings of the device, the oldest first. */
  readonly readings: readonly UnassignedReading[];
}

interface FieldAtDepth extends Omit<FieldChoice, 'position'> {
  readonly depth: number | null;
}

/** Each field that came, with its last value. */
export function lastOfFields(readings: readonly UnassignedReading[]): SentField[] {
  const fields = new Map<string, number>();
  for (const { type, value } of readings) {
    const name = fieldNameOf(type);
    if (name !== null) fields.set(name, value);
  }
  return [...fields].map(([name, value]) => ({ name, value }));
}

/** `onlyDepth` is that of fields without one: of the device, or of all sensors of the module. */
export function chooseFields(
  texts: readonly string[],
  device: FieldsOfDevice,
  onlyDepth: number | undefined,
): ChosenFields {
  const sent = lastOfFields(device.readings);
  const named = parseFields(texts).map((field) => ({
    ...field,
    name: knownName(field, device, sent),
  }));

  const fields = new Map(atDepths(device.chosen).map((field) => [field.name, field]));
  for (const field of named)
    if (field.meaning === null) fields.delete(field.name);
    else fields.set(field.name, fieldAtDepth(field.name, field.meaning, onlyDepth));

  const chosen = withPositions([...fields.values()]);
  for (const { name } of named) assertPossible(choiceOf(chosen.fields, name), device, sent);
  return chosen;
}

/** The name as the device sends it. */
function knownName(
  { name }: DescribedField,
  { chosen }: FieldsOfDevice,
  sent: readonly SentField[],
): string {
  const names = [...sent, ...chosen.fields].map((field) => field.name);
  const known =
    names.find((other) => other === name) ??
    names.find((other) => foldText(other) === foldText(name));
  if (known !== undefined) return known;

  throw invalidInputError(
    'invalid_body',
    sent.length === 0
      ? say`No field ${quotedName(name)} has come from this device.`
      : say`The device sends no field ${quotedName(name)}. These came: ${listSentFields(sent)}.`,
    {
      hint:
        sent.length === 0
          ? say`Choose fields once the device has sent a message in which no preset knows any.`
          : say`Name them as they came, such as "${verbatim(suggestedFields(sent))}".`,
      field: 'fields',
    },
  );
}

function fieldAtDepth(
  name: string,
  { type, unit, depth, factor }: FieldMeaning,
  onlyDepth: number | undefined,
): FieldAtDepth {
  const depthMeant = depth === undefined ? onlyDepth : depth;
  if (depthMeant === undefined)
    throw invalidInputError('invalid_body', say`The field ${quotedName(name)} has no depth.`, {
      hint: say`Say at which depth it measures: "${verbatim(name)} = ${code(type)} 20 cm", or "${verbatim(name)} = ${code(type)} air" for a sensor without one.`,
      field: 'fields',
    });
  return { name, type, depth: depthMeant, unit: unit?.symbol ?? null, factor };
}

const atDepths = ({ fields, depths }: ChosenFields): FieldAtDepth[] =>
  fields.map(({ position, ...field }) => ({
    ...field,
    depth: position === null ? null : itemAt(depths, position),
  }));

function withPositions(fields: readonly FieldAtDepth[]): ChosenFields {
  const depths = [...new Set(fields.flatMap(({ depth }) => depth ?? []))].sort((a, b) => a - b);
  return {
    depths,
    fields: fields.map(({ depth, ...field }) => ({
      ...field,
      position: depth === null ? null : depths.indexOf(depth),
    })),
  };
}

/**
 * The fields that were chosen earlier, at the depths that a person named, in their order from the
 * top; else at the only depth of a module without sensors at theirs.
 */
export function fieldsAtDepths(
  { fields, depths }: ChosenFields,
  named: readonly number[],
  { onlyDepth, all }: { readonly onlyDepth: readonly number[]; readonly all: readonly number[] },
): ChosenFields {
  const meant = named.length > 0 ? named : onlyDepth;
  const isThere = named.length === 0 && depths.every((depth) => all.includes(depth));
  if (fields.length === 0) return { fields, depths: meant };
  if (isThere || meant.length === 0) return { fields, depths };
  if (meant.length === depths.length) return { fields, depths: meant };

  throw invalidInputError(
    'invalid_body',
    say`The fields of this device are of ${exact(depths, 'cm')}: give as many depths.`,
    {
      hint: say`Name the depths from the top, or say with ${argument('fields')} which one is where.`,
      field: 'depths',
    },
  );
}

/** Throws if a person named other depths than those of the fields. */
export function assertSameDepths(named: readonly number[], { depths }: ChosenFields): void {
  if (named.length === 0 || named.toSorted((a, b) => a - b).join() === depths.join()) return;

  throw invalidInputError(
    'invalid_body',
    say`${argument('depths')} are ${exact(named, 'cm')}, and those of fields ${exact(depths, 'cm')}.`,
    {
      hint: say`Leave out ${argument('depths')}: the depths of the fields count.`,
      field: 'depths',
    },
  );
}

/** Throws if no value that came can be what the person chose. */
function assertPossible(
  choice: FieldChoice | undefined,
  { readings }: FieldsOfDevice,
  sent: readonly SentField[],
): void {
  if (choice === undefined) return;

  const { name } = choice;
  const measured = readings.flatMap(({ type, value }) =>
    fieldNameOf(type) === name ? [measureField(choice, value)] : [],
  );
  const [first] = measured.toReversed();
  if (first === undefined || first.ok || measured.some(({ ok }) => ok)) return;

  throw invalidInputError(
    'invalid_body',
    say`The field ${quotedName(name)} cannot be that: ${describeReason(first.failure, 'en')}. These came: ${listSentFields(sent)}.`,
    {
      hint: say`Choose another field, or its unit: m3/m3 for a fraction of 1, °F, / 10 for tenths.`,
      field: 'fields',
    },
  );
}

/** Throws if the device sends nothing but fields of which nobody said what they measure. */
export function assertFieldsChosen({ chosen, readings }: FieldsOfDevice): void {
  const sent = lastOfFields(readings);
  const hasOthers = readings.some(({ type }) => fieldNameOf(type) === null);
  if (sent.length === 0 || hasOthers || chosen.fields.length > 0) return;

  throw invalidInputError(
    'invalid_body',
    say`Nobody has said yet what the fields of this device measure. These came: ${listSentFields(sent)}.`,
    {
      hint: say`Ask what they are, and give ${argument('fields')}, such as "${verbatim(suggestedFields(sent))}" with its depth (${operationName('assign_device')}, or acequia ingest assign --fields).`,
      field: 'fields',
    },
  );
}
