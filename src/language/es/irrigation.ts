import type { WateringStatus } from '../../schema/watering.ts';
import type { Language } from '../en/index.ts';
import type { CalendarDay } from '../en/irrigation.ts';
import { spanishCore } from './core.ts';
import { atClock, fromClock, spanishCount, spanishFormat, spanishNoun, withDel } from './grammar.ts';

const SYSTEM_NAMES: Record<string, string> = {
  drip: 'goteo',
  micro_sprinkler: 'microaspersión',
  sprinkler: 'aspersión',
  pivot: 'pívot',
  gravity: 'riego por gravedad',
  manual: 'riego manual',
  other: 'otro equipo',
};

const STATUS_NAMES: Record<WateringStatus, string> = { done: 'realizado', planned: 'previsto', skipped: 'anulado' };
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
  logged: { done: 'Riego registrado:', planned: 'Riego previsto:', skipped: 'Riego anotado como anulado:' },
  corrected: (status, id) => `El riego ${id} está ahora ${STATUS_NAMES[status]}:`,
  details: (amount, name, when, dose) => `${amount} en ${name}, ${when}: ${dose}.`,
  parcelDetails: (amount, probes, parcel, when, doses) =>
    `${amount} en ${probes === 1 ? 'la única sonda' : `las ${probes} sondas`} de ${parcel}, ${when}: ${doses}.`,
  forWholeParcel: (amount, areaM2) => `${amount} para toda la parcela${areaM2 === null ? '' : ` (${areaM2} m2)`}`,
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
  page: (count, isAhead, when, name, dose, status) =>
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
  toConfirm: 'Ya no cuenta por sí solo como realizado: confírmelo con status done cuando se haya dado el agua.',
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
    replaced: (amount, before) => `${amount} en lugar de ${before}`,
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
    const reasons = byReason.map(([reason, count]) => `${count} ${MISSING_DOSE_REASONS[reason] ?? reason}`);
    return `${spanishCount(completed, 'dosis completada', 'dosis completadas')} en ${name}; ${missing === 1 ? 'falta' : 'faltan'} todavía ${missing}${missing === 0 ? '' : ` (${reasons.join(', ')})`}.`;
  },
};

export const spanishSetup: Language['setup'] = {
  noFlowRate: 'caudal desconocido',
  emitterFlow: (litresPerHour) => `${litresPerHour} L/h por emisor`,
  emitterDensity: (perM2) => `${perM2} emisores por m2`,
  fractionWetted: (fraction, isDefault) => `fracción mojada ${fraction}${isDefault ? ' (por defecto)' : ''}`,
  noIrrigatedArea: 'superficie regada desconocida',
  spacing: (emitterM, lineM, density) =>
    `Emisores cada ${emitterM} m en líneas separadas ${lineM} m: ${density} por m2.`,
  sinceBeginning: 'desde siempre',
  since: (instant, zone) => `desde ${instant} (${zone})`,
  inForce: (name, equipment, parcel, since, versionId) =>
    `Equipo de ${name}: ${equipment}${parcel === null ? '' : ` (instalación de ${parcel})`}, ${since} (versión ${versionId}).`,
  noParcelSetup: (parcel) => `${parcel} no tiene instalación de riego propia: set_parcel_installation declara una.`,
  appliesTo: (probes, since) =>
    probes === null ? `Vale ${since}, pero para ninguna sonda.` : `Vale ${since} para ${probes}.`,
  reachedProbes: (probes) => `Vale para ${probes}.`,
  probesWithOwnSetup: (probes, count) => `${probes} ${spanishNoun(count, 'tiene', 'tienen')} instalación propia.`,
  setupOf: (name) => `instalación de ${name}`,
  until: (instant) => `hasta ${instant}`,
  noSetup: (name) => `${name} no tiene instalación de riego: declare una con set_module_installation.`,
  missingDoses: (count, withoutSetup) => {
    const reason =
      withoutSetup === 0
        ? 'por falta de un caudal o de una superficie regada'
        : `${withoutSetup === count ? '' : `${withoutSetup} de ellos `}por falta de instalación en esa fecha`;
    return `${spanishCount(count, 'riego')} sin dosis, ${reason}.`;
  },
  parcelAreaUnknown: (parcel, count) =>
    `No se conoce la superficie regada de ${parcel}, y hace falta para el volumen de ${spanishCount(count, 'riego')} de toda la parcela: pregúntela y añádala a la instalación de la parcela con set_parcel_installation, o con correct_installation si ya tiene una.`,
  placement: (name, distanceCm) =>
    distanceCm === null
      ? `La ubicación de ${name} está anotada, sin distancia al emisor.`
      : `${name} está a ${distanceCm} cm del emisor más cercano; esto no cambia ninguna dosis.`,
  version: (id, owner, equipment, since) =>
    `La versión ${id} de la instalación de ${owner} es ahora: ${equipment}, ${since}.`,
  declaredVersion: (id, owner, equipment) => `Versión ${id} de la instalación de ${owner} declarada: ${equipment}.`,
  declaredForParcel: (parcel, equipment) => `La instalación de ${parcel} está declarada: ${equipment}.`,
  generalizeResult: ({ name, since, changed, probes, isTried }) =>
    `La instalación de ${name} ${isTried ? 'se extendería' : 'se extiende'} a toda su parcela${since === null ? '' : ` ${since}`}: ${changed} de ${spanishCount(probes, 'módulo')} ${changeVerb(changed, isTried)} de instalación.`,
  nothingWritten: 'No se ha registrado nada.',
  listedModules: (count) =>
    `${count === 1 ? 'Se muestra 1' : `Se muestran ${count}`} de ellos: get_irrigation_setup muestra los demás.`,
  validityPeriod: (from, to) =>
    `La versión declarada solo vale desde ${from ?? 'el principio'} hasta ${to}; lo que vale hoy ya estaba declarado.`,
  completedDoses: (count) =>
    `${spanishCount(count, 'riego que no tenía dosis queda completado', 'riegos que no tenían dosis quedan completados')}.`,
  updatedPlannedDoses: (count) =>
    `${spanishCount(count, 'riego previsto toma', 'riegos previstos toman')} la dosis del nuevo equipo.`,
  unchangedDoses: (count) =>
    `${spanishCount(count, 'dosis registrada conserva', 'dosis registradas conservan')} su cifra anterior; correct_watering con refreeze true ${count === 1 ? 'la' : 'las'} vuelve a calcular.`,
};

function changeVerb(count: number, isTried: boolean): string {
  if (isTried) return count === 1 ? 'cambiaría' : 'cambiarían';
  return count === 1 ? 'cambia' : 'cambian';
}

const formatScheduleDay = ({ day, month, year }: CalendarDay): string => spanishCore.day(day, month, year);

/** Only "sábado" and "domingo" take an s in the plural. */
const weekdayPlural = (weekday: number): string => {
  const name = spanishFormat.weekdays('long')[weekday - 1]!;
  return name.endsWith('s') ? name : `${name}s`;
};

export const spanishSchedule: Language['schedule'] = {
  everyDays: (days) => (days === 1 ? 'cada día' : days === 2 ? 'un día sí y otro no' : `cada ${days} días`),
  weekly: (weekdays) => `los ${spanishFormat.list(weekdays.map(weekdayPlural))}`,
  schedule: ({ id, target, frequency, times, zone, amount, isActive }, from, until, countsByItself) =>
    `El programa ${id} ${isActive ? 'riega' : 'está parado; regaría'} ${target} ${frequency} ${atClock(times)} (${zone}), ${amount} cada vez, a partir ${withDel(formatScheduleDay(from))}${until === null ? '' : ` hasta ${formatScheduleDay(until)}`}; los riegos pasados ${countsByItself ? 'cuentan por sí solos como realizados' : 'esperan confirmación'}.`,
  reaches: (probes) => (probes === null ? 'La parcela todavía no tiene ninguna sonda.' : `Alcanza a ${probes}.`),
  row: ({ target, frequency, times, zone, amount, isActive }) =>
    `${target} ${frequency} ${atClock(times)}${zone === null ? '' : ` (${zone})`}, ${amount}${isActive ? '' : ' (parado)'}`,
  noMatch: 'Ningún programa coincide.',
  page: (rows, zone) => `Programas${zone === null ? '' : ` (${zone})`}: ${rows.join('; ')}.`,
  nothingPlanned: 'No hay nada previsto en los próximos 90 días.',
  planned: (planned, next) =>
    `${spanishCount(planned, 'riego previsto', 'riegos previstos')} en los próximos 90 días, el siguiente ${next}.`,
  withoutDose: (missing) =>
    `${missing} de ellos ${missing === 1 ? 'no tiene' : 'no tienen'} dosis todavía: get_irrigation_setup de la sonda dice qué le falta a su equipo.`,
  moved: (count) => spanishCount(count, 'riego futuro desplazado', 'riegos futuros desplazados'),
  movedTimes: (from, to) => ` de ${from} a ${to}`,
  updated: (count) =>
    `${spanishCount(count, 'riego futuro toma', 'riegos futuros toman')} la nueva cantidad o la nueva dosis`,
  added: (count) => spanishCount(count, 'añadido'),
  removed: (count) => spanishCount(count, 'eliminado'),
  noneChanged: 'Ningún riego futuro ha cambiado',
  keptManual: (count) =>
    spanishCount(count, 'corregido a mano y dejado como está', 'corregidos a mano y dejados como están'),
  plansFollow: (probes) =>
    `Otros riegos previstos de ${probes === 1 ? 'una sonda' : `${probes} sondas`} siguen enseguida.`,
  stillWatersToday: (times) =>
    `Todavía riega hoy ${atClock(times)}; si no debe hacerlo, anule ese riego con correct_watering.`,
  removedToday: (times) => `El riego de hoy ${atClock(times)} desaparece con el cambio.`,
  duplicate: (id) =>
    `El programa ${id} riega en el mismo lugar a la misma hora: si son el mismo plan, pare uno con update_schedule e isActive false.`,
  differentAreas: (doses) =>
    `Las sondas de la parcela tienen superficies regadas distintas, y cada dosis se calcula con la del equipo propio de la sonda: ${doses.join('; ')}. El volumen cuenta una sola vez para la parcela; log_watering, en cambio, lo reparte sobre toda la parcela.`,
  doseOfArea: (mm, probes, areaM2) =>
    `${mm === null ? 'sin dosis' : `${mm} mm`} en ${probes} (${areaM2 === null ? 'sin superficie' : `${areaM2} m2`})`,
};

export const spanishSettings: Language['settings'] = {
  labels: {
    rootDepthCm: 'profundidad de las raíces',
    depthWeights: 'pesos',
    allowedDepletion: 'agotamiento permitido',
    refillPercent: 'reposición',
    efficiencyPercent: 'eficiencia',
    leachingPercent: 'lavado de sales',
    hoursPerDay: 'riego máximo por día',
  },
  defaults: {
    rootDepthCm: 'hasta el sensor más profundo',
    depthWeights: 'según la profundidad de las raíces, o todas las profundidades por igual',
    efficiencyPercent: '100 %, sin pérdidas',
  },
  perDay: (duration) => `como máximo ${duration} al día`,
  inForce: (values) => `Ajustes: ${values.join('; ')}.`,
  change: (label, from, to, byDefault) =>
    to === null
      ? `${label} sin definir, antes ${from} (ahora por defecto: ${byDefault})`
      : `${label} ${to}, ${from === null ? 'antes sin definir' : `antes ${from}`} (por defecto: ${byDefault})`,
  changed: (name, changes, since) => `${name}, ${since}: ${changes.join('; ')}.`,
  until: (instant, zone) => `Siguen vigentes ajustes posteriores desde ${instant} (${zone}).`,
  withoutEffect:
    'No mide la humedad del suelo: no se calcula ningún déficit y estos ajustes no tienen efecto. ¿Se trata de otra sonda?',
  rootsBelowSensors: (rootDepth, deepest) =>
    `El sensor más profundo está a ${deepest} cm: de ahí hasta los ${rootDepth} cm se supone la misma humedad.`,
  unchanged: (name) => `No ha cambiado nada: ${name} ya tiene estos ajustes.`,
};
