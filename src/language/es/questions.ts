import type { AnnotationShape, AnnotationUnit, ChartType } from '../../domain/alerts/annotation.ts';
import type { LineFill } from '../../domain/alerts/drawn-lines.ts';
import { MEASUREMENT_TYPES } from '../../domain/moisture/measurement.ts';
import { recordOf } from '../../domain/records.ts';
import type { ChangeAction, CountedKind } from '../../schema/changes/change.ts';
import type { WateringSource } from '../../schema/irrigation/watering.ts';
import type { Language } from '../en/index.ts';
import { spanishPageChart } from './chart.ts';
import { spanishNoun } from './grammar.ts';
import { spanishMeasurements } from './measurements.ts';

const UNITS: Record<AnnotationUnit, string> = {
  vwc: ' % en volumen',
  vwc_max: ' % de la saturación',
  mm: ' mm',
};

const SHAPES: Record<AnnotationShape, string> = {
  'h-line': 'una línea horizontal',
  'v-line': 'una línea vertical',
  segment: 'un segmento',
  ray: 'una semirrecta',
  infinite: 'una recta',
  arrow: 'una flecha',
  'h-free': 'una línea horizontal libre',
  rect: 'un rectángulo',
  text: 'un texto',
  line: 'una línea',
};

const THRESHOLDS: Record<LineFill, string> = {
  threshold1: 'la capacidad de campo',
  threshold2: 'el punto de marchitez',
  wet: 'el nivel húmedo',
  dry: 'el nivel seco',
};

const CURVES: Record<ChartType, string> = {
  ...recordOf(MEASUREMENT_TYPES.map((type) => [type, spanishMeasurements[type].curve])),
  'humidity-detail': 'las curvas de humedad por profundidad',
  'humidity-heatmap': 'el mapa de humedad',
};

const formatCurve = (chart: ChartType, name: string): string => `${CURVES[chart]} de ${name}`;

const NOUNS: Record<CountedKind, readonly [one: string, many: string, ending: 'o' | 'a']> = {
  watering: ['riego', 'riegos', 'o'],
  rain: ['registro de lluvia', 'registros de lluvia', 'o'],
  weather: ['día de meteorología', 'días de meteorología', 'o'],
  planned_watering: ['riego previsto', 'riegos previstos', 'o'],
  schedule: ['programa', 'programas', 'o'],
  installation: ['instalación', 'instalaciones', 'a'],
  placement: ['ubicación', 'ubicaciones', 'a'],
  settings: ['versión de ajustes', 'versiones de ajustes', 'a'],
  season: ['campaña de cultivo', 'campañas de cultivo', 'a'],
  soil_layer: ['capa de suelo', 'capas de suelo', 'a'],
  alert: ['alerta', 'alertas', 'a'],
  alert_recipient: ['destinatario', 'destinatarios', 'o'],
  annotation: ['anotación', 'anotaciones', 'a'],
  company: ['finca', 'fincas', 'a'],
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

const withNames = (effects: readonly string[], names: readonly string[]): string =>
  `${effects.join(', ')}${names.length === 0 ? '' : ` (${names.join(', ')})`}`;

const SURFACES: Record<WateringSource, string> = {
  mcp: 'por chat o comando',
  api: 'por la API',
  manual: 'a mano',
  schedule: 'por un programa',
};

export const spanishQuestions: Language['questions'] = {
  flowRate: ({ name, isOfParcel, units }) =>
    `El riego de ${name} está registrado. Falta su dosis, porque el equipo${isOfParcel ? ' de la parcela' : ''} no tiene pluviometría. ` +
    (units === 'us'
      ? '¿Cuántas pulgadas de agua por hora da, sobre toda la superficie? 0,1 pulg./h son 6,2 galones por hora en 100 pies cuadrados.'
      : '¿Cuántos mm de agua por hora da, sobre toda la superficie? 1 mm/h es 1 litro por hora y por m2.'),
  yes: 'Sí',
  flowRateTitle: (unit) => `Pluviometría, ${unit}`,
  whichOne: (text) => `${text} puede designar varias cosas. ¿Cuál es?`,
  logOnWhich: (amount) => `¿Anotar ${amount} en qué sonda?`,
  probe: 'Sonda',
  parcel: 'Parcela',
  wholeParcel: (parcel) => `toda la parcela ${parcel}`,
  drawing: ({ shape, threshold, hasEffect, height, unit, when }) => {
    const at = `a ${height}${unit === null ? '' : UNITS[unit]}`;
    if (threshold)
      return `${THRESHOLDS[threshold]}, como línea ${at}${hasEffect ? '' : ' (que solo cuenta en la curva de humedad)'}`;
    return shape === 'h-line' || shape === 'h-free'
      ? `${SHAPES[shape]} ${at}`
      : `${SHAPES[shape]}, ${when}`;
  },
  askDeletion: ({ chart, name, drawing, stopsAlert }) =>
    `¿Eliminar esta anotación en ${formatCurve(chart, name)}: ${drawing}?${stopsAlert ? ' Su alerta se detiene con ella.' : ''}`,
  askLine: ({ chart, name, drawing, expected, isLimit }) =>
    `¿Dibujar esto en ${formatCurve(chart, name)}: ${drawing}? ${spanishPageChart.expected(`${expected} %`, isLimit)}`,
  effect: (kind, action, count) => {
    const [one, many, ending] = NOUNS[kind];
    return `${count} ${spanishNoun(count, one, many)} ${PARTICIPLES[action]}${ending}${spanishNoun(count, '', 's')}`;
  },
  withNames,
  askUndo: ({ when, who, surface, effects }) =>
    `¿Deshacer lo anotado ${when}${who === null ? '' : ` por ${who}`}, ${SURFACES[surface]}? Resultado: ${effects}.`,
};
