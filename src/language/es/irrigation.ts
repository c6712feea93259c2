import type { ReviewedWateringBody } from '../../schema/advice/advice.ts';
import type { WateringStatus } from '../../schema/irrigation/watering.ts';
import type { Language } from '../en/index.ts';
import { atClock, fromClock, spanishCount, withDel } from './grammar.ts';

const SYSTEM_NAMES: Record<string, string> = {
  drip: 'goteo',
  micro_sprinkler: 'microaspersión',
  sprinkler: 'aspersión',
  pivot: 'pívot',
  gravity: 'riego por gravedad',
  manual: 'riego manual',
  other: 'otro equipo',
};

const STATUS_NAMES: Record<WateringStatus, string> = {
  done: 'realizado',
  planned: 'previsto',
  skipped: 'anulado',
};
const MISSING_DOSE_REASONS: Record<string, string> = {
  NO_INSTALLATION: 'sin instalación en esa fecha',
  MISSING_FLOW_RATE: 'por falta de caudal',
  MISSING_IRRIGATED_AREA: 'por falta de superficie regada',
};

export const spanishWatering: Language['watering'] = {
  amountOfSystem: (amount, system) => (system === null ? amount : `${amount} de ${system}`),
  system: (code) => SYSTEM_NAMES[code] ?? code,
  noDose: 'todavía sin dosis',
  dose: (total, wetted) =>
    `${total} mm sobre toda la superficie${wetted === null ? '' : `, ${wetted} mm en la zona mojada`}`,
  preview: (dose: string) => `Aún no se ha registrado nada; serían ${dose}.`,
  logged: {
    done: 'Riego registrado:',
    planned: 'Riego previsto:',
    skipped: 'Riego anotado como anulado:',
  },
  corrected: (status, id) => `El riego ${id} está ahora ${STATUS_NAMES[status]}:`,
  details: (amount, name, when, dose) => `${amount} en ${name}, ${when}: ${dose}.`,
  parcelDetails: ({ amount, probes, parcel, when, doses }) =>
    `${amount} en ${probes === 1 ? 'la única sonda' : `las ${probes} sondas`} de ${parcel}, ${when}: ${doses}.`,
  forWholeParcel: (amount, areaM2) =>
    `${amount} para toda la parcela${areaM2 === null ? '' : ` (${areaM2} m2)`}`,
  each: (dose) => `${dose}, en cada una`,
  differentDoses: (doses) => doses.join('; '),
  doseOn: (dose, probes) => `${dose} en ${probes}`,
  moreProbes: (count) => `${count} más`,
  otherDoses: (count, least, most) => `de ${least} a ${most} mm en las otras ${count}`,
  warnings: {
    NO_INSTALLATION: ({ name, isPartial, isParcel }) =>
      `Ninguna instalación de ${name} cubre esa fecha, así que falta la dosis${isPartial ? ' en la zona mojada' : ''}: declare lo que había con ${isParcel ? 'set_parcel_installation' : 'set_module_installation'}, con effectiveFrom en esa fecha o antes, y se completará sola.`,
    MISSING_FLOW_RATE: () =>
      'El equipo no tiene caudal, así que los minutos no dan mm: pregúntelo y añádalo con correct_installation.',
    MISSING_IRRIGATED_AREA: ({ parcel }) =>
      parcel === null
        ? 'El equipo no tiene superficie regada, así que los m3 no dan mm: pregúntela y añádala con correct_installation.'
        : `No se conoce la superficie regada de ${parcel}, así que los m3 no dan mm: pregúntela y añádala a la instalación de la parcela con set_parcel_installation, o con correct_installation si ya tiene una.`,
    DEFAULT_FRACTION_WETTED: ({ fractionWetted, system }) =>
      `La fracción mojada de ${fractionWetted} es el valor por defecto (${system}).`,
  },
  noMatch: 'Ningún riego coincide.',
  noPast: 'Ningún riego pasado coincide.',
  ahead: (count, next, name) =>
    `${spanishCount(count, 'riego previsto', 'riegos previstos')}, el próximo ${next} en ${name}: status planned los enumera.`,
  page: ({ count, isAhead, when, name, dose, status }) =>
    `${spanishCount(count, 'riego mostrado', 'riegos mostrados')}, el más ${isAhead ? 'próximo' : 'reciente'} primero: ${when} en ${name}, ${dose}${status === 'done' ? '' : ` (${STATUS_NAMES[status]})`}.`,
  counts: (total, counts) => `${total} en total: ${counts.join(', ')}.`,
  irrigations: (count, hasParcels) =>
    `${spanishCount(count, 'riego')}${hasParcels ? ', el de una parcela entera contado una vez' : ''}`,
  totals: ({ probes, modules, dose, details }) =>
    modules === 1 && probes.length === 1
      ? `En total, ${probes[0]!.name} ha recibido ${dose} (${details}).`
      : `En total, las ${modules} sondas han recibido ${dose}, de media entre ellas (${details})${probes.length === 0 ? '' : `: ${probes.map(({ name, mm }) => `${name} ${mm === null ? 'sin dosis' : `${mm} mm`}`).join(', ')}`}.`,
  someWithoutDose: (count) =>
    `${count} de los realizados no ${count === 1 ? 'tiene' : 'tienen'} dosis, así que se ha dado más.`,
  status: (status) => STATUS_NAMES[status],
  countOf: (status, count) => spanishCount(count, STATUS_NAMES[status]),
  overlap: ({ id, otherId, status, when }, probe, others, isOfParcel) =>
    `El riego ${id} coincide en el tiempo con el riego ${otherId} de ${probe} (${when}, ${STATUS_NAMES[status]})${others === 0 ? '' : `, y ${others === 1 ? 'coincide 1 más' : `coinciden ${others} más`}`}. Si es la misma agua, ${isOfParcel ? 'deshaga esta anotación con undo' : 'anule uno de los dos con correct_watering y status skipped'}.`,
  runTimeContradicts: ({ runTime, runMm, runM3, entered, mm }, probe, others) =>
    `La duración no cuadra: con el equipo de ${probe}, ${runTime} dan ${runMm} mm${runM3 === null ? '' : ` (${runM3} m3)`}, pero ${mm === null ? `se han anotado ${entered}` : `${entered} son ${mm} mm, y eso es lo anotado`}. Pregunte qué es lo correcto; correct_watering lo cambia.${others === 0 ? '' : ` Lo mismo en ${spanishCount(others, 'otra sonda', 'otras sondas')}.`}`,
  otherProbes: {
    status: (status) => STATUS_NAMES[status],
    row: (id, probe, values) => `riego ${id} en ${probe}${values === '' ? '' : ` (${values})`}`,
    more: (count) => `${count} más`,
    sentence: (rows) =>
      `Es una sola sonda de un riego de toda la parcela; las demás quedan como estaban: ${rows}. Corríjalas también si el cambio vale para la parcela.`,
  },
  toConfirm:
    'Ya no cuenta por sí solo como realizado: confírmelo con status done cuando se haya dado el agua.',
  correction: {
    heading: (id, name, when) => `Riego ${id} en ${name}, ${when}`,
    sentence: (heading, parts) => `${heading}: ${parts.join('; ')}.`,
    confirmed: 'confirmado',
    takenBack: 'anulado',
    cancelled: 'anulado',
    stillCancelled: (restoring) => `Sigue anulado y no cuenta: status ${restoring} lo recupera.`,
    countsAgain: 'vuelve a contar',
    plannedAgain: (wasDone) => `previsto de nuevo${wasDone ? ', ya no realizado' : ''}`,
    moved: ({ from, to, isSameDay }) =>
      isSameDay ? `movido ${fromClock(from)} ${atClock(to)}` : `movido, estaba anotado ${from}`,
    replaced: (amount, before) => `${amount} en lugar ${withDel(before)}`,
    runTime: (duration) => `duración ${duration}`,
    noRunTime: 'sin duración',
    doseReplaced: (mm, before) =>
      mm === null
        ? `sin dosis, antes ${before} mm`
        : `${mm} mm ${before === null ? '(antes no tenía dosis)' : `en lugar de ${before} mm`}`,
    wetted: (mm) => `${mm} mm en la zona mojada`,
    note: { added: 'nota añadida', changed: 'nota cambiada', removed: 'nota eliminada' },
    nothing: 'no ha cambiado nada',
    dose: (dose) => `La dosis es de ${dose}.`,
    otherEquipment: 'En esa fecha estaba en vigor otro equipo que el anotado hasta ahora.',
  },
  recomputeResult: (name, completed, missing, byReason) => {
    const reasons = byReason.map(
      ([reason, count]) => `${count} ${MISSING_DOSE_REASONS[reason] ?? reason}`,
    );
    return `${spanishCount(completed, 'dosis completada', 'dosis completadas')} en ${name}; ${missing === 1 ? 'falta' : 'faltan'} todavía ${missing}${missing === 0 ? '' : ` (${reasons.join(', ')})`}.`;
  },
};

export const spanishResponses: Record<ReviewedWateringBody['response'], readonly [string, string]> =
  {
    reached: ['llegó a la zona de raíces', 'llegaron a la zona de raíces'],
    below_roots: ['llegó por debajo de las raíces', 'llegaron por debajo de las raíces'],
    no_response: ['no tuvo efecto', 'no tuvieron efecto'],
    too_early: ['es demasiado reciente para verse', 'son demasiado recientes para verse'],
    no_data: ['no tiene datos', 'no tienen datos'],
  };

export const spanishReview: Language['review'] = {
  period: (start, end, zone) => `desde ${start} hasta ${end} (${zone})`,
  noWaterings: (name, period) =>
    `No hay ningún riego registrado como realizado en ${name} ${period}.`,
  totals: (name, period, total, responses) =>
    `${spanishCount(total, 'riego')} en ${name} ${period}: ${responses}.`,
  response: (response, count) => spanishCount(count, ...spanishResponses[response]),
  assessedTogether: (ids) => `Evaluados juntos, porque los separan 3 horas como mucho: ${ids}.`,
  checkRan: (ids, count) =>
    count < 2
      ? `Compruebe si el riego ${ids} se hizo y llegó a la sonda (sin efecto).`
      : `Compruebe si los riegos ${ids} se hicieron y llegaron a la sonda (sin efecto).`,
  reachedBelow: (ids, count) =>
    `El agua ${count < 2 ? 'del riego' : 'de los riegos'} ${ids} llegó por debajo de las raíces: si se repite, dé menos cada vez.`,
  newestResponse: ({ at, deepestCm, gainedMm, appliedMm, hasLosses }) => {
    const gained = gainedMm === null ? '' : `, y el suelo ganó ${gainedMm} mm`;
    const against =
      gainedMm === null || appliedMm === null
        ? ''
        : ` de ${appliedMm} mm en la zona mojada${hasLosses ? ', descontadas las pérdidas' : ''}`;
    return `El más reciente con efecto visible, ${at}: hasta ${deepestCm} cm${gained}${against}.`;
  },
  implausibleGain: (ids, count) =>
    `Los sensores muestran mucha más agua de la que ${count < 2 ? 'aportó el riego' : 'aportaron los riegos'} ${ids}: si no llovió, revise el caudal, la fracción mojada y la colocación de la sonda.`,
  riseAmount: (mm, isOverall) =>
    `, unos ${mm} mm ${isOverall ? 'sobre toda la superficie' : 'en el suelo mojado'}`,
  ifIrrigation: ' si fue un riego',
  likely: {
    watering: 'más bien un riego que lluvia',
    unknown: 'un riego o lluvia, nada permite distinguirlo',
  },
  roseElsewhere: 'a la vez que en otras parcelas: llovió, o se regó todo',
  unloggedRises: (count, newest) =>
    `${spanishCount(count, 'subida')} que nadie anotó; la más reciente ${newest}.`,
  plannedThen: (eventId) =>
    `El riego ${eventId} estaba previsto entonces: si se hizo, confírmelo con correct_watering.`,
  rainRises: (count, at, mm) =>
    `La lluvia anotada explica ${spanishCount(count, 'subida')}; la más reciente ${at}, ${mm} mm de lluvia.`,
  askFirst: (rainMm) =>
    rainMm === null
      ? 'No hay lluvia anotada para entonces, así que pregunte antes de registrar un riego.'
      : `Los ${rainMm} mm de lluvia anotados para entonces no la explican, así que pregunte antes de registrar un riego.`,
  olderWaterings: (count) => spanishCount(count, 'riego más antiguo', 'riegos más antiguos'),
  olderRises: (count) => spanishCount(count, 'subida más antigua', 'subidas más antiguas'),
  omitted: (rows) => `Sin contar ${rows}: dé un limit mayor o un end anterior.`,
  noSoilMoisture: 'No mide la humedad del suelo, así que nada muestra lo que hizo un riego.',
};
