import { formatPlainDecimal } from '../decimal.ts';
import { alternatives } from '../strings.ts';
import type { Figures, Joiner, List, NextCall, Part, Text, Time } from './text.ts';

/** Texts that programs read alike are one. */
export const uniqueTexts = (texts: readonly Text[]): Text[] => [
  ...new Map(texts.map((text) => [programText(text), text])).values(),
];

/** Gives the name of an operation that programs read. */
export type NameOperation = (tool: string) => string;

/**
 * A text as programs read it: names of arguments and operations, exact figures in metric units,
 * times in ISO 8601.
 */
export const programText = (
  { parts }: Text,
  nameOperation: NameOperation = (tool) => tool,
): string => parts.map((part) => programPart(part, nameOperation)).join('');

export function programPart(part: Part, nameOperation: NameOperation = (tool) => tool): string {
  if (typeof part === 'string') return part;
  switch (part.kind) {
    case 'argument':
      return part.path;
    case 'code':
      return part.code;
    case 'operation':
      return nameOperation(part.tool);
    case 'aside':
      return ` (${programText(part.text, nameOperation)})`;
    case 'description':
      return part.forPrograms;
    case 'name':
      return part.text;
    case 'quantity':
      return quantityText(part);
    case 'area':
      return `${part.m2} m2`;
    case 'density':
      return `${part.perM2} emitters per m2`;
    case 'duration':
      return `${part.minutes} min`;
    case 'list':
      return listText(part, nameOperation);
    case 'call':
      return callText(part);
    default:
      return part.afterDe ? `de ${isoTime(part)}` : isoTime(part);
  }
}

function quantityText({ values, metric = values, unit, joiner = 'and' }: Figures): string {
  const figures = metric.map(plainFigure);
  const joined = joinedFigures(figures, joiner);
  return unit === null ? joined : `${joined} ${unit}`;
}

function joinedFigures(figures: readonly string[], joiner: Joiner): string {
  return joiner === 'to' || joiner === 'of'
    ? figures.join(` ${joiner} `)
    : alternatives(figures, joiner);
}

/** 0.0000001, not 1e-7. */
function plainFigure(value: number): string {
  const figure = String(value);
  return figure.includes('e') ? formatPlainDecimal(value) : figure;
}

const listText = ({ items, joiner }: List, nameOperation: NameOperation): string =>
  alternatives(
    items.map((item) => programText(item, nameOperation)),
    joiner,
  );

export const callText = ({ tool, args }: NextCall): string => {
  const list = args.join(', ');
  if (tool === null) return list;
  return list === '' ? tool : `${tool}(${list})`;
};

const isoInstant = (at: number): string => new Date(at).toISOString();

function isoTime(time: Time): string {
  switch (time.kind) {
    case 'instant':
    case 'dateOf':
    case 'longInstant':
    case 'longDate':
      return isoInstant(time.at);
    case 'period':
      return time.to === null
        ? isoInstant(time.from)
        : `${isoInstant(time.from)}/${isoInstant(time.to)}`;
    case 'day':
    case 'weekday':
    case 'dayOfYear':
      return time.day;
    case 'clock':
      return time.clock;
    case 'zone':
      return time.inZone ?? 'UTC';
  }
}
