import type { ChangeAction, CountedKind } from '../../schema/change.ts';
import type { WateringSource } from '../../schema/watering.ts';
import type { Language } from '../en/index.ts';
import { spanishNoun } from './grammar.ts';

const NOUNS: Record<CountedKind, readonly [one: string, many: string, ending: 'o' | 'a']> = {
  watering: ['riego', 'riegos', 'o'],
  rain: ['registro de lluvia', 'registros de lluvia', 'o'],
  weather: ['día de meteorología', 'días de meteorología', 'o'],
  planned_watering: ['riego previsto', 'riegos previstos', 'o'],
  schedule: ['programa', 'programas', 'o'],
  installation: ['instalación', 'instalaciones', 'a'],
  placement: ['colocación', 'colocaciones', 'a'],
  settings: ['versión de ajustes', 'versiones de ajustes', 'a'],
  soil_layer: ['capa de suelo', 'capas de suelo', 'a'],
  alert: ['alerta', 'alertas', 'a'],
  alert_recipient: ['destinatario', 'destinatarios', 'o'],
  annotation: ['dibujo', 'dibujos', 'o'],
  company: ['empresa', 'empresas', 'a'],
  user: ['miembro', 'miembros', 'o'],
  parcel: ['parcela', 'parcelas', 'a'],
  module: ['sonda', 'sondas', 'a'],
  sensor: ['sensor', 'sensores', 'o'],
  device: ['dispositivo', 'dispositivos', 'o'],
};

const PARTICIPLES: Record<ChangeAction | 'restored', string> = {
  added: 'añadid',
  changed: 'modificad',
  removed: 'eliminad',
  restored: 'restablecid',
};

const SURFACES: Record<WateringSource, string> = {
  mcp: 'por chat o comando',
  api: 'por la API',
  manual: 'a mano',
  schedule: 'por un programa',
};

const withNames = (effects: readonly string[], names: readonly string[]): string =>
  `${effects.join(', ')}${names.length === 0 ? '' : ` (${names.join(', ')})`}`;

export const spanishChanges: Language['changes'] = {
  effect: (kind, action, count) => {
    const [one, many, ending] = NOUNS[kind];
    return `${count} ${spanishNoun(count, one, many)} ${PARTICIPLES[action]}${ending}${spanishNoun(count, '', 's')}`;
  },
  withNames,
  noValue: 'nada',
  isOn: (isOn) => (isOn ? 'en marcha' : 'parado'),
  readings: 'lecturas importadas',
  undone: (effects, names, when) => `Deshecho: ${withNames(effects, names)}. Era lo anotado ${when}.`,
  askUndo: ({ when, who, surface, effects }) =>
    `¿Deshacer lo anotado ${when}${who === null ? '' : ` por ${who}`}, ${SURFACES[surface]}? Resultado: ${effects}.`,
  entry: ({ when, who, surface, effects, fields, isUndo, isUndone }) =>
    `${when}${who === null ? '' : `, por ${who}`}, ${SURFACES[surface]}: ${[effects, ...fields].join(', ')}${isUndo ? ', al deshacer' : ''}${isUndone ? ', deshecho después' : ''}`,
  newest: (entries) => `Los últimos cambios: ${entries.join('; ')}.`,
  undoneSince: (changeId) =>
    `Esto se deshizo después, con el cambio ${changeId}: no queda nada guardado. Para anotarlo de nuevo, repítalo con otra idempotencyKey.`,
  none: 'Todavía no se ha cambiado nada.',
};
