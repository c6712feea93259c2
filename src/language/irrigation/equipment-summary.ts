import {
  type EmitterSpacing,
  type EquipmentFields,
  emittersPerM2OfSpacing,
} from '../../domain/irrigation/equipment.ts';
import type { KeptFigures } from '../../domain/irrigation/equipment-change.ts';
import { asEntered, emitters, rate, share } from '../../domain/text/figures.ts';
import { commaSeparated, say, sentences } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import type { Advisory } from '../../schema/advisory.ts';
import type { SummaryContext } from '../summary-context.ts';
import { describeSystem } from './watering-summary.ts';

export function describeEquipment(setup: Omit<EquipmentFields, keyof EmitterSpacing>): Text {
  const { system, flowMmPerH, emitterFlowLph, emittersPerM2, irrigatedAreaM2 } = setup;
  const defaultRemark = setup.fractionWettedIsDefault ? say` (default)` : null;

  return commaSeparated([
    describeSystem(system),
    emitterFlowLph === null ? null : emitterFlow(emitterFlowLph),
    emittersPerM2 === null ? null : emitters(emittersPerM2),
    flowMmPerH === null ? say`no application rate` : rate(flowMmPerH, 'mm/h'),
    say`${wettedFraction(setup.fractionWetted)}${defaultRemark}`,
    irrigatedAreaM2 === null ? say`no irrigated area` : asEntered(irrigatedAreaM2, 'm2'),
  ]);
}

const emitterFlow = (litresPerHour: number): Text => say`${rate(litresPerHour, 'L/h')} per emitter`;

const wettedFraction = (fraction: number): Text => say`wetted fraction ${share(fraction)}`;

const emittersOnLines = ({ emitterSpacingM, lineSpacingM }: EmitterSpacing): Text =>
  say`every ${rate(emitterSpacingM, 'm')} on lines ${rate(lineSpacingM, 'm')} apart`;

export interface SpacingInput {
  readonly emitterSpacingM?: number | undefined;
  readonly lineSpacingM?: number | undefined;
}

export const spacingOf = ({
  emitterSpacingM,
  lineSpacingM,
}: SpacingInput): EmitterSpacing | null =>
  emitterSpacingM === undefined || lineSpacingM === undefined
    ? null
    : { emitterSpacingM, lineSpacingM };

/** The emitter density that follows from the spacing; null without a spacing. */
function describeSpacing(input: SpacingInput): Text | null {
  const spacing = spacingOf(input);
  return (
    spacing &&
    say`Emitters ${emittersOnLines(spacing)}: ${rate(emittersPerM2OfSpacing(spacing))} per m2.`
  );
}

/** Adds the emitter density that follows from the spacing in the call. */
export const summarizeWithSpacing =
  <Body, Input extends SpacingInput>(
    summarize: (
      body: Body,
      context: SummaryContext,
      input: Input,
      advisories: readonly Advisory[],
    ) => Promise<Text>,
  ) =>
  async (
    body: Body,
    context: SummaryContext,
    input: Input,
    advisories: readonly Advisory[],
  ): Promise<Text> => {
    const summary = await summarize(body, context, input, advisories);
    return sentences([summary, describeSpacing(input)]);
  };

/** Names the figures that a change of equipment took over from the equipment before. */
export function describeKeptFigures(kept: KeptFigures): Text {
  const spacing = spacingOf(kept);
  const phrase = (figure: number | undefined, describe: (figure: number) => Text): Text | null =>
    figure === undefined ? null : describe(figure);

  const figures = [
    phrase(kept.emitterFlowLph, emitterFlow),
    phrase(kept.emittersPerM2, (density) => say`${emitters(density)}`),
    spacing && say`emitters ${emittersOnLines(spacing)}`,
    phrase(kept.flowMmPerH, (flow) => say`${rate(flow, 'mm/h')}`),
    phrase(kept.fractionWetted, wettedFraction),
    phrase(kept.irrigatedAreaM2, (area) => say`${asEntered(area, 'm2')}`),
  ];
  return say`As before: ${commaSeparated(figures)}.`;
}
