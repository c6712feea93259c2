import type { z } from 'zod/v3';
import { type EmitterSpacing, emittersPerM2OfSpacing } from '../../domain/irrigation/equipment.ts';
import { programText } from '../../domain/text/program-text.ts';
import { type EnteredUnit, hasUsGallons, unitSystemOf } from '../../domain/units.ts';
import { parseAmount, parseFigure } from '../../language/words/amounts/amount.ts';
import { installationBody } from '../../schema/irrigation/installation.ts';
import { AnswerError, type ReadAnswer, readAnswers } from './answers.ts';

type QuantityField = 'emitterFlowLph' | 'flowMmPerH' | 'irrigatedAreaM2' | 'rootDepthCm';

/** The units and examples of the prompts, by the units of the country. */
const UNITS = {
  metric: {
    emitterFlowLph: { unit: 'L/h', example: '1.6 L/h' },
    flowMmPerH: { unit: 'mm/h', example: '4 mm/h' },
    irrigatedAreaM2: { unit: 'ha', example: '1.5 ha' },
    rootDepthCm: { unit: 'cm', example: '60 cm' },
    spacing: { unit: 'm', example: '0.5 x 1 m' },
    depths: { unit: 'cm', example: '10, 30 cm' },
  },
  us: {
    emitterFlowLph: { unit: 'gph', example: '0.5 gph' },
    flowMmPerH: { unit: 'in/h', example: '0.2 in/h' },
    irrigatedAreaM2: { unit: 'acres', example: '40 acres' },
    rootDepthCm: { unit: 'in', example: '24 in' },
    spacing: { unit: 'ft', example: '20 in x 10 ft' },
    depths: { unit: 'in', example: '12, 24 in' },
  },
} as const;

const FIGURE_ALONE = /^[\d.,\s]+$/;
const FIGURES_ALONE = /^[\d\s.,;/]*$/;
const BETWEEN_SPACINGS = /[x×*]/i;
const UNIT_AT_END = /[\d\s]([^\d\s.,]+)$/;
const PER_SQUARE_METRE = /(?:\/|per) ?m[2²]$/i;
const MAX_LENGTH = 80;

/** Reads quantities as the tools do. A figure alone is in the unit of the prompt. */
export function quantityAnswers(countryCode: string | null) {
  const system = unitSystemOf(null, countryCode);
  const units = UNITS[system];
  const options = { usGallons: hasUsGallons(countryCode) };

  const amountIn = (answer: string, fieldUnit: EnteredUnit, unit: string, example: string) => {
    const text = FIGURE_ALONE.test(answer) ? `${answer} ${unit}` : answer;
    const parsed = parseAmount(text, fieldUnit, options);
    if (!parsed.ok) throw new AnswerError('quantity', example, programText(parsed.failure));
    return parsed.value.amount;
  };

  const reader =
    (name: QuantityField, fieldUnit: EnteredUnit, schema?: z.ZodTypeAny): ReadAnswer<number> =>
    (answer) => {
      const { unit, example } = units[name];
      const amount = amountIn(answer, fieldUnit, unit, example);
      if (schema?.safeParse(amount).success === false || amount <= 0)
        throw new AnswerError('quantity', example);
      return amount;
    };

  const spacing = (text: string, other: string): number => {
    // In "0.5 by 2 m" the unit stands after the other figure.
    const unit = UNIT_AT_END.exec(other)?.[1] ?? units.spacing.unit;
    return amountIn(text, 'm', unit, units.spacing.example);
  };

  /** Emitters per m2, or their spacing along and between the lines. */
  const emitters: ReadAnswer<{ emittersPerM2: number } & Partial<EmitterSpacing>> = (answer) => {
    if (answer.length > MAX_LENGTH) throw expectedEmitters();
    const [along = '', between, more] = answer.split(BETWEEN_SPACINGS).map((part) => part.trim());
    if (between === undefined || more !== undefined) {
      const figure = parseFigure(answer.replace(PER_SQUARE_METRE, ''), { isPercent: false });
      return { emittersPerM2: checkedDensity(figure) };
    }

    const spacings = {
      emitterSpacingM: spacing(along, between),
      lineSpacingM: spacing(between, along),
    };
    return { emittersPerM2: checkedDensity(emittersPerM2OfSpacing(spacings)), ...spacings };
  };

  const expectedEmitters = () => new AnswerError('emitters', units.spacing.example);
  const checkedDensity = (density: number | null): number => {
    const { data } = installationBody.emittersPerM2.safeParse(density);
    if (data == null) throw expectedEmitters();
    return data;
  };

  return {
    units,
    emitters,
    emitterFlowLph: reader('emitterFlowLph', 'L/h', installationBody.emitterFlowLph),
    flowMmPerH: reader('flowMmPerH', 'mm/h', installationBody.flowMmPerH),
    irrigatedAreaM2: reader('irrigatedAreaM2', 'm2', installationBody.irrigatedAreaM2),
    /** In cm, from the top. */
    depths: (answer: string): number[] =>
      readAnswers.depths(FIGURES_ALONE.test(answer) ? `${answer} ${units.depths.unit}` : answer),
    rootDepthCm: (answer: string): number => Math.round(reader('rootDepthCm', 'cm')(answer)),
  };
}

export type QuantityAnswers = ReturnType<typeof quantityAnswers>;
