import type { AnnotationShape, ChartType } from '../../domain/alerts/annotation.ts';
import type { LineFill } from '../../domain/alerts/drawn-lines.ts';
import { MEASUREMENT_TYPES } from '../../domain/moisture/measurement.ts';
import { recordOf } from '../../domain/records.ts';
import { counted, noun, say, word } from '../../domain/text/say.ts';
import type { Name, Text } from '../../domain/text/text.ts';
import type { ChangeAction, CountedKind } from '../../schema/changes/change.ts';
import type { WateringSource } from '../../schema/irrigation/watering.ts';
import type { Language } from '../en/index.ts';
import { spanishMeasurementTexts } from './measurements.ts';

const SHAPES: Record<AnnotationShape, Text> = {
  'h-line': say`una línea horizontal`,
  'v-line': say`una línea vertical`,
  segment: say`un segmento`,
  ray: say`una semirrecta`,
  infinite: say`una recta`,
  arrow: say`una flecha`,
  'h-free': say`una línea horizontal libre`,
  rect: say`un rectángulo`,
  text: say`un texto`,
  line: say`una línea`,
};

const THRESHOLDS: Record<LineFill, Text> = {
  threshold1: say`la capacidad de campo`,
  threshold2: say`el punto de marchitez`,
  wet: say`el nivel húmedo`,
  dry: say`el nivel seco`,
};

const TEXTS = spanishMeasurementTexts();

const CURVES: Record<ChartType, Text> = {
  ...recordOf(MEASUREMENT_TYPES.map((type) => [type, TEXTS[type].curve])),
  'humidity-detail': say`las curvas de humedad por profundidad`,
  'humidity-heatmap': say`el mapa de humedad`,
};

const sayCurve = (chart: ChartType, name: Name): Text => say`${CURVES[chart]} de ${name}`;

const NOUNS = {
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
  water_source: ['fuente de agua', 'fuentes de agua', 'a'],
  module: ['sonda', 'sondas', 'a'],
  sensor: ['sensor', 'sensores', 'o'],
  device: ['dispositivo', 'dispositivos', 'o'],
} as const satisfies Record<CountedKind, readonly [one: string, many: string, ending: 'o' | 'a']>;

const PARTICIPLES: Record<ChangeAction | 'restored', Text> = {
  added: say`añadid`,
  changed: say`modificad`,
  removed: say`eliminad`,
  restored: say`restablecid`,
};

const SURFACES: Record<WateringSource, Text> = {
  mcp: say`por chat o comando`,
  api: say`por la API`,
  manual: say`a mano`,
  schedule: say`por un programa`,
};

export const spanishQuestions: Language['questions'] = {
  flowRate: ({ name, isOfParcel, units }) => {
    const question =
      units === 'us'
        ? say`¿Cuántas pulgadas de agua por hora da, sobre toda la superficie? 0,1 pulg./h son 6,2 galones por hora en 100 pies cuadrados.`
        : say`¿Cuántos mm de agua por hora da, sobre toda la superficie? 1 mm/h es 1 litro por hora y por m2.`;
    return say`El riego de ${name} está registrado. Falta su dosis, porque el equipo${isOfParcel ? say` de la parcela` : null} no tiene pluviometría. ${question}`;
  },
  yes: 'Sí',
  flowRateTitle: (unit) => say`Pluviometría, ${unit}`,
  whichOne: (sent) => say`${sent} puede designar varias cosas. ¿Cuál es?`,
  logOnWhich: (amount) => say`¿Anotar ${amount} en qué sonda?`,
  probe: 'Sonda',
  parcel: 'Parcela',
  wholeParcel: (parcel) => say`toda la parcela ${parcel}`,
  heights: {
    vwc: (height) => say`${height} en volumen`,
    vwc_max: (height) => say`${height} de la saturación`,
  },
  drawing: ({ shape, threshold, hasEffect, height, when }) => {
    if (threshold)
      return say`${THRESHOLDS[threshold]}, como línea a ${height}${hasEffect ? null : say` (que solo cuenta en la curva de humedad)`}`;
    return shape === 'h-line' || shape === 'h-free'
      ? say`${SHAPES[shape]} a ${height}`
      : say`${SHAPES[shape]}, ${when}`;
  },
  askDeletion: ({ chart, name, drawing, stopsAlert }) =>
    say`¿Eliminar esta anotación en ${sayCurve(chart, name)}: ${drawing}?${stopsAlert ? say` Su alerta se detiene con ella.` : null}`,
  askLine: ({ chart, name, drawing, expected, isLimit }) =>
    say`¿Dibujar esto en ${sayCurve(chart, name)}: ${drawing}? En este suelo se esperaría ${isLimit ? say`como mucho` : say`cerca de`} ${expected}.`,
  effect: (kind, action, count) => {
    const [one, many, ending] = NOUNS[kind];
    return say`${counted(count, one, many)} ${PARTICIPLES[action]}${word(ending)}${noun(count, '', 's')}`;
  },
  formerMember: say`un antiguo miembro`,
  askUndo: ({ when, who, surface, effects }) =>
    say`¿Deshacer lo anotado ${when}${who === null ? null : say` por ${who}`}, ${SURFACES[surface]}? Resultado: ${effects}.`,
};

/** Says in the head of the page what waits for a person. */
export const spanishWaiting: Language['waiting'] = {
  devices: (n) => counted(n, 'dispositivo por asignar', 'dispositivos por asignar'),
  noCopy: say`no se pudo hacer la copia de los datos`,
  senders: (n) => say`mensajes de ${counted(n, 'emisor', 'emisores')} sin leer`,
  unsent: (n, wait) =>
    say`${counted(n, 'mensaje')} sin enviar${wait === null ? null : say` desde hace ${wait}`}`,
};
