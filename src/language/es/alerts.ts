import type { AnnotationShape, ChartType, LineFill } from '../../domain/alerts/annotation.ts';
import type {
  AlertRuleFacts,
  AlertStateFacts,
  BacktestFacts,
  HeightUnitCode,
} from '../en/alerts.ts';
import type { Language } from '../en/index.ts';
import { atClock, spanishCount, withDel } from './grammar.ts';

function formatTimes({ times, isTruncated, timeBelow, reminders }: BacktestFacts): string {
  const below = `${timeBelow} por debajo, ${reminders === 0 ? 'ningún recordatorio' : spanishCount(reminders, 'recordatorio')}`;
  return `${isTruncated ? 'al menos ' : ''}${times === 1 ? 'una vez' : `${times} veces`}, ${below}`;
}

const formatRule = ({ threshold, resolveAt, reminderTime, zone }: AlertRuleFacts): string =>
  `por debajo del ${threshold} %, hasta el ${resolveAt} %, con un recordatorio cada día ${atClock(reminderTime)} (${zone})`;

const formatAlertValue = (
  { threshold, resolveAt }: Pick<AlertRuleFacts, 'threshold' | 'resolveAt'>,
  { value, isBelow }: Pick<AlertStateFacts, 'value' | 'isBelow'>,
): string =>
  isBelow
    ? `${value} %, por debajo del ${threshold} %`
    : `${value} %, todavía no el ${resolveAt} %`;

const formatMessages = (amount: number): string =>
  `${spanishCount(amount, 'mensaje')} de estas alertas`;

function formatState(rule: AlertRuleFacts, state: AlertStateFacts): string {
  const { value, at, isStale, since } = state;
  const firing = since === null ? null : `disparada desde ${since}`;
  if (at === null) return 'en reposo, sin ninguna medida de humedad hasta hoy';
  if (isStale)
    return `sin datos recientes: su última medida de humedad es ${withDel(at)}${firing === null ? '' : `, y sigue ${firing}`}`;
  if (value === null) return `${firing ?? 'en reposo'}, sin valor ${at}`;
  return firing === null
    ? `en reposo: ${value} % ${at}`
    : `${firing}: ${formatAlertValue(rule, state)}`;
}

export const spanishAlertPhrases: Language['alert'] = {
  noProbe: (parcel) => `sin sonda${parcel === null ? '' : ` (${parcel})`}`,
  state: formatState,
  neverEvaluated: 'nunca evaluada',
  disabled: 'desactivada',
  created: (target, rule) => `Nueva alerta, ${target}: se dispara ${formatRule(rule)}.`,
  updated: (target, rule, isActive) =>
    `Alerta, ${target}: ${isActive ? 'ahora se dispara' : 'está desactivada; si se reactiva, se disparará'} ${formatRule(rule)}.`,
  noneMatches: 'Ninguna alerta coincide.',
  row: (target, threshold, currentState) =>
    `${target} por debajo del ${threshold} %, ${currentState}`,
  page: (rows, zone) => `Alertas (${zone}): ${rows.join('; ')}.`,
  firing: (rule, state, since) =>
    `Su alerta está disparada desde ${since}${state.value === null ? '' : `: ${formatAlertValue(rule, state)}`}.`,
  firingOnStaleData: (since, last) =>
    `Su alerta cuenta como disparada desde ${since}, pero su última medida es ${withDel(last)}.`,
  firingOn: (probes) => `Hay una alerta disparada en ${probes}: vea list_alerts.`,
  moreFiring: (count) =>
    `${spanishCount(count, 'alerta más de esta sonda está disparada', 'alertas más de esta sonda están disparadas')}: vea list_alerts.`,

  withoutProbe: 'Sin sonda nunca se evalúa: cree otra que nombre una en module.',
  noSoilMoisture:
    'No tiene sensor de humedad del suelo, así que nunca se dispara: list_modules da las sondas.',
  notifies: (person) => `Se avisará por correo a ${person}.`,
  currentState: (state) => `Está ${state}.`,
  neverResolves: (resolveAt) =>
    `Una vez disparada, no se resuelve nunca, porque ninguna humedad llega al ${resolveAt} %.`,
  belowStressPoint: (stressPoint) =>
    `Allí las plantas empiezan a sufrir ya con un ${stressPoint} %: para recibir el aviso antes, hace falta una alerta a ese nivel o por encima (create_alert).`,
  lineMoves: (threshold) => `Su línea de punto de marchitez pasa también al ${threshold} %.`,
  lineStays: 'La línea de la que nació ya no es un punto de marchitez, y se queda donde está.',
  unsentMail: (amount) => `Sin enviar todavía: ${formatMessages(amount)}.`,
  rejectedMail: (amount, answer) =>
    `Rechazo definitivo del servidor de correo${answer === null ? '' : `, cuya última respuesta es ${answer}`}: ${formatMessages(amount)}.`,
  seeDoctor: 'El comando "acequia doctor" dice qué hay que arreglar.',

  ownDisabled: 'Su alerta está desactivada.',
  olderDisabled: (height) => `La alerta de la línea anterior al ${height} % está desactivada.`,
  ownEnabled: (height) => `Su alerta vigila el ${height} %.`,
  olderEnabled: (height) =>
    `La línea anterior de punto de marchitez al ${height} % vuelve a contar, y su alerta está vigilando.`,
  newerCounts: (height) =>
    `Una línea de punto de marchitez más reciente, al ${height} %, cuenta en su lugar.`,
  moved: (from, to, isActive) =>
    `Su alerta${isActive ? '' : ', desactivada,'} pasa del ${from} al ${to} %.`,

  wouldHaveFired: (level, name, times) =>
    times.times === 0
      ? `El ${level} % en ${name} no se habría disparado nunca.`
      : `El ${level} % en ${name} se habría disparado ${formatTimes(times)}.`,
  lastEpisode: ({ isOnly, start, end, zone, lowest }) =>
    `${isOnly ? 'El episodio' : 'El último episodio'} empezó ${start} y ${end === null ? 'sigue en curso' : `terminó ${end}`} (${zone}), con un mínimo del ${lowest} %.`,
  lastHours: (duration) => `al final del periodo (${duration})`,
  firstHours: (until, duration) => `hasta ${until} (${duration})`,
  gap: (span, duration) => `${span} (${duration})`,
  gaps: (list, older) =>
    `Sin datos: ${list}${older === 0 ? '' : `, y ${spanishCount(older, 'hueco más antiguo', 'huecos más antiguos')}`}.`,
  noneInForce: 'No tiene ninguna alerta en vigor.',
  inForce: ({ threshold, hysteresis, reminderTime }, times) =>
    `La alerta en vigor (${threshold} %, ${hysteresis} puntos, ${reminderTime}) ${times.times === 0 ? 'no se disparó nunca en ese periodo' : `se disparó en ese periodo ${formatTimes(times)}`}.`,
  nothingToBacktest:
    'No tiene sensor de humedad del suelo, así que no hay con qué probar un umbral.',
  olderEpisodesOmitted: (omitted, all) =>
    `${omitted === 1 ? `No se muestra el episodio más antiguo (1 de ${all})` : `No se muestran los ${omitted} episodios más antiguos de ${all}`}: acote start y end para ${omitted === 1 ? 'verlo' : 'verlos'}.`,
};

const CURVES: Record<ChartType, string> = {
  humidity: 'la curva de humedad',
  'humidity-detail': 'las curvas de humedad por profundidad',
  'humidity-heatmap': 'el mapa de humedad',
  temperature: 'la curva de temperatura',
  tensio: 'la curva de tensión',
};

const UNITS: Record<NonNullable<HeightUnitCode>, string> = {
  vwc: ' % en volumen',
  vwc_max: ' % de la saturación',
  mm: ' mm',
  temperature: ' °C',
  tensio: ' kPa',
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

const PARTS = { style: 'Su estilo', text: 'Su texto' } as const;

const formatCurve = (chart: ChartType, name: string): string => `${CURVES[chart]} de ${name}`;

export const spanishAnnotationPhrases: Language['annotation'] = {
  drawing: ({ shape, threshold, hasEffect, height, unit, when }) => {
    const at = `a ${height}${unit === null ? '' : UNITS[unit]}`;
    if (threshold)
      return `${THRESHOLDS[threshold]}, como línea ${at}${hasEffect ? '' : ' (que solo cuenta en la curva de humedad)'}`;
    return shape === 'h-line' || shape === 'h-free'
      ? `${SHAPES[shape]} ${at}`
      : `${SHAPES[shape]}, ${when}`;
  },
  created: (chart, name, drawing) => `Trazado en ${formatCurve(chart, name)}: ${drawing}.`,
  updated: (chart, name, drawing) =>
    `En ${formatCurve(chart, name)}, la anotación es ahora ${drawing}.`,
  deleted: 'La anotación se ha eliminado.',
  askDeletion: ({ chart, name, drawing, stopsAlert }) =>
    `¿Eliminar esta anotación en ${formatCurve(chart, name)}: ${drawing}?${stopsAlert ? ' Su alerta se detiene con ella.' : ''}`,
  nothingDrawn: (chart, name) => `No hay nada trazado en ${formatCurve(chart, name)}.`,
  list: (chart, name, count, counting) =>
    `${spanishCount(count, 'anotación', 'anotaciones')} en ${formatCurve(chart, name)}${counting.length === 0 ? '' : `, entre ellas ${counting.join(' y ')}`}.`,
  olderOmitted: (count) =>
    `${count === 1 ? 'No se muestra 1 anotación más antigua' : `No se muestran ${count} anotaciones más antiguas`}: pida más con limit.`,
  noSoilMoisture:
    'Pero este módulo no mide la humedad del suelo: nada se compara con la línea y ninguna alerta se dispara. ¿Se trata de otro módulo?',
  noTension:
    'Este módulo no mide tensión, así que la línea no tiene efecto: ¿se trata de otro módulo?',
  contentPartRemoved: (part) =>
    `${PARTS[part]} se ha eliminado, porque content sustituye a los dos: envíe style y text juntos para conservarlos.`,
};
