import {
  type AlertMailFacts,
  type MailDraft,
  type MailFigures,
  type MailFormat,
  mailFigures,
  type SoilFigure,
} from '../mail/mail-draft.ts';
import { spanishFormat } from './grammar.ts';

const MAIL_FORMAT: MailFormat = {
  number: spanishFormat.number,
  day: (day, month, year) =>
    `${day} de ${spanishFormat.months('long')[month - 1]}${year === null ? '' : ` de ${year}`}`,
  dateTimeSeparator: ', ',
  units: { days: 'días', hour: 'h', minute: 'min' },
};

export function draftSpanishMail(facts: AlertMailFacts): MailDraft {
  const format = mailFigures(facts, MAIL_FORMAT);
  const { subject, lead, advice } = alertText(facts, format);
  return {
    subject,
    colon: ': ',
    lead,
    figures: figureRows(facts, format),
    waterings: {
      title: 'Últimos riegos',
      lines:
        facts.waterings.length === 0
          ? ['No hay ninguno registrado.']
          : facts.waterings.map(
              ({ startedAt, waterMm }) =>
                `${format.instant(startedAt)}: ${waterMm === null ? 'dosis desconocida' : format.millimetres(waterMm)}`,
            ),
    },
    advice,
    footer: `Horas locales (${facts.zone}). Acequia le escribe porque es usted destinatario de esta alerta de ${facts.company}; quien la gestiona puede desactivarla.`,
  };
}

const CHECK_PROBE = 'Revise la sonda y su pasarela (alimentación, ubicación, red) y mire el suelo mientras tanto.';
const NOTHING_TO_DO = 'No hay nada que hacer; la alerta sigue vigilando.';

const placeText = ({ module, parcel }: AlertMailFacts): string => (parcel === null ? module : `${module} (${parcel})`);

function alertText(facts: AlertMailFacts, format: MailFigures): { subject: string; lead: string[]; advice: string } {
  const { kind, module, threshold, state } = facts;
  const limit = format.percent(threshold);
  switch (kind) {
    case 'fired':
      return {
        subject: `Suelo seco: ${module}${newestValueText(format)}, umbral ${limit}`,
        lead: [
          `La humedad de ${placeText(facts)} ${format.isBelow ? 'está' : 'bajó'} por debajo del ${limit}.`,
          ...aboveThresholdText(facts, format),
        ],
        advice: 'Mire las plantas y el suelo allí, riegue si lo necesitan y registre lo que aporte.',
      };
    case 'reminder':
      return {
        subject: `Sigue seco, día ${format.dayOfEpisode}: ${module}${newestValueText(format)}, umbral ${limit}`,
        lead: [
          `La alerta de ${placeText(facts)} lleva disparada ${format.duration(format.durationMs)}.`,
          ...(format.isFresh ? aboveThresholdText(facts, format) : [staleValueText(format)]),
        ],
        advice: format.isFresh
          ? 'Riegue si las plantas lo necesitan y registre lo que aporte; o cambie el umbral si es demasiado alto.'
          : CHECK_PROBE,
      };
    case 'resolved':
      return ENDING_TEXTS[state.ending](facts, format);
    case 'stale':
      return {
        subject: `Sin datos de ${module}${format.ageMs === null ? '' : ` desde hace ${format.duration(format.ageMs)}`}: su alerta no puede vigilar`,
        lead: [
          `${placeText(facts)} no ha transmitido ninguna medida de humedad${state.newestAt === null ? '' : ` desde el ${format.instant(state.newestAt)}`}: su alerta no puede dispararse ni resolverse hasta que lleguen datos nuevos.`,
          state.isFiring ? 'Estaba disparada, y sigue contando como tal.' : 'No estaba disparada.',
        ],
        advice: CHECK_PROBE,
      };
  }
}

const newestValueText = (format: MailFigures): string =>
  format.newestValue === null ? '' : ` al ${format.newestValue}`;

const aboveThresholdText = ({ state, threshold }: AlertMailFacts, format: MailFigures): string[] =>
  format.isBelow || state.newestValue === null
    ? []
    : [
        `Vuelve a estar por encima del ${format.percent(threshold)}, sin llegar al ${format.resolveAt} con el que se resuelve la alerta.`,
      ];

const staleValueText = (format: MailFigures): string =>
  format.ageMs === null
    ? 'No se sabe nada del estado actual.'
    : `El último valor es de hace ${format.duration(format.ageMs)}, demasiado para conocer el estado actual.`;

function resolvedText(facts: AlertMailFacts, format: MailFigures) {
  return {
    subject: `Alerta resuelta: ${facts.module}${newestValueText(format)}`,
    lead: [
      `La humedad de ${placeText(facts)} ha llegado al ${format.resolveAt}: la alerta está resuelta.`,
      ...durationText(facts, format),
    ],
    advice: NOTHING_TO_DO,
  };
}

function ruleChangedText(facts: AlertMailFacts, format: MailFigures) {
  return {
    subject: `Alerta resuelta: se ha cambiado el umbral de ${facts.module}`,
    lead: [
      `La alerta de ${placeText(facts)} ya no está disparada, porque se ha cambiado su umbral o su histéresis.`,
      ...durationText(facts, format),
    ],
    advice: 'Si no esperaba este cambio, pregunte a quien gestiona la alerta.',
  };
}

function withdrawnText(facts: AlertMailFacts, format: MailFigures) {
  return {
    subject: `Alerta retirada: ${facts.module}${newestValueText(format)}`,
    lead: [
      `Finalmente, la alerta de ${placeText(facts)} no está disparada.`,
      'Unas medidas que llegaron tarde, o se corrigieron, muestran otros valores que los que la dispararon.',
    ],
    advice: NOTHING_TO_DO,
  };
}

const ENDING_TEXTS = { reached: resolvedText, rule_changed: ruleChangedText, corrected: withdrawnText };

const durationText = ({ state }: AlertMailFacts, format: MailFigures): string[] =>
  state.startedAt === null
    ? []
    : [
        `Duró ${format.duration(format.durationMs)}${state.lowestValue === null ? '' : `, con un mínimo del ${format.percent(state.lowestValue)}`}.`,
      ];

function figureRows(
  { state, threshold, fieldCapacity, wiltingPoint }: AlertMailFacts,
  format: MailFigures,
): [string, string][] {
  const { newestAt, startedAt, lowestValue, isFiring } = state;
  const rows: [string, string][] = [];
  if (newestAt !== null)
    rows.push([
      'Humedad',
      `${format.newestValue ?? 'sin valor'} el ${format.instant(newestAt)}, hace ${format.duration(format.ageMs!)}`,
    ]);
  rows.push(['Umbral', `por debajo del ${format.percent(threshold)}; se resuelve al ${format.resolveAt} o más`]);
  if (startedAt !== null && isFiring) {
    rows.push(['Disparada desde', `el ${format.instant(startedAt)}`]);
    if (lowestValue !== null) rows.push(['Mínimo desde entonces', format.percent(lowestValue)]);
  }
  rows.push(
    ['Capacidad de campo', soilFigureText(fieldCapacity, format) ?? 'no declarada'],
    ['Punto de marchitez', soilFigureText(wiltingPoint, format) ?? 'no declarado'],
  );
  return rows;
}

const BASIS_LABELS = { annotation: 'la línea trazada en la curva', soil_profile: 'el suelo de la parcela' };

const soilFigureText = (figure: SoilFigure | null, format: MailFigures): string | null =>
  figure && `${format.percent(figure.value)} (${BASIS_LABELS[figure.basis]})`;
