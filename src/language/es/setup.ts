import type { UsdaClass } from '../../domain/soil/soil-catalog.ts';
import type { Language } from '../en/index.ts';
import type { CalendarDay, SoilLayerFacts } from '../en/setup.ts';
import { spanishCore } from './core.ts';
import { atClock, spanishCount, spanishFormat, spanishNoun, withDel } from './grammar.ts';

export const spanishSetup: Language['setup'] = {
  noFlowRate: 'caudal desconocido',
  emitterFlow: (litresPerHour) => `${litresPerHour} L/h por emisor`,
  emitterDensity: (perM2) => `${perM2} emisores por m2`,
  fractionWetted: (fraction, isDefault) =>
    `fracción mojada ${fraction}${isDefault ? ' (por defecto)' : ''}`,
  noIrrigatedArea: 'superficie regada desconocida',
  spacing: (emitterM, lineM, density) =>
    `Emisores cada ${emitterM} m en líneas separadas ${lineM} m: ${density} por m2.`,
  sinceBeginning: 'desde siempre',
  since: (instant, zone) => `desde ${instant} (${zone})`,
  inForce: ({ name, equipment, parcel, since, versionId }) =>
    `Equipo de ${name}: ${equipment}${parcel === null ? '' : ` (instalación de ${parcel})`}, ${since} (versión ${versionId}).`,
  noParcelSetup: (parcel) =>
    `${parcel} no tiene instalación de riego propia: set_parcel_installation declara una.`,
  appliesTo: (probes, since) =>
    probes === null ? `Vale ${since}, pero para ninguna sonda.` : `Vale ${since} para ${probes}.`,
  reachedProbes: (probes) => `Vale para ${probes}.`,
  probesWithOwnSetup: (probes, count) =>
    `${probes} ${spanishNoun(count, 'tiene', 'tienen')} instalación propia.`,
  setupOf: (name) => `instalación de ${name}`,
  until: (instant) => `hasta ${instant}`,
  noSetup: (name) =>
    `${name} no tiene instalación de riego: declare una con set_module_installation.`,
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
  declaredVersion: (id, owner, equipment) =>
    `Versión ${id} de la instalación de ${owner} declarada: ${equipment}.`,
  declaredForParcel: (parcel, equipment) =>
    `La instalación de ${parcel} está declarada: ${equipment}.`,
  generalizeResult: ({ name, since, changed, probes, isDryRun }) =>
    `La instalación de ${name} ${isDryRun ? 'se extendería' : 'se extiende'} a toda su parcela${since === null ? '' : ` ${since}`}: ${changed} de ${spanishCount(probes, 'módulo')} ${changeVerb(changed, isDryRun)} de instalación.`,
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

function changeVerb(count: number, isDryRun: boolean): string {
  if (isDryRun) return count === 1 ? 'cambiaría' : 'cambiarían';
  return count === 1 ? 'cambia' : 'cambian';
}

const formatScheduleDay = ({ day, month, year }: CalendarDay): string =>
  spanishCore.day(day, month, year);

/** Only "sábado" and "domingo" take an s in the plural. */
const weekdayPlural = (weekday: number): string => {
  const name = spanishFormat.weekdays('long')[weekday - 1]!;
  return name.endsWith('s') ? name : `${name}s`;
};

export const spanishSchedule: Language['schedule'] = {
  everyDays: (days) => {
    if (days === 1) return 'cada día';
    return days === 2 ? 'un día sí y otro no' : `cada ${days} días`;
  },
  weekly: (weekdays) => `los ${spanishFormat.list(weekdays.map(weekdayPlural))}`,
  schedule: (
    { id, target, frequency, times, zone, amount, isActive },
    from,
    until,
    countsByItself,
  ) =>
    `El programa ${id} ${isActive ? 'riega' : 'está parado; regaría'} ${target} ${frequency} ${atClock(times)} (${zone}), ${amount} cada vez, a partir ${withDel(formatScheduleDay(from))}${until === null ? '' : ` hasta ${formatScheduleDay(until)}`}; los riegos pasados ${countsByItself ? 'cuentan por sí solos como realizados' : 'esperan confirmación'}.`,
  reaches: (probes) =>
    probes === null ? 'La parcela todavía no tiene ninguna sonda.' : `Alcanza a ${probes}.`,
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
    spanishCount(
      count,
      'corregido a mano y dejado como está',
      'corregidos a mano y dejados como están',
    ),
  plansFollow: (probes) =>
    `Otros riegos previstos de ${probes === 1 ? 'una sonda' : `${probes} sondas`} se actualizarán en breve.`,
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

const TEXTURE_NAMES: Record<UsdaClass, string> = {
  Sand: 'Arena',
  'Loamy sand': 'Arena franca',
  'Sandy loam': 'Franco arenoso',
  'Sandy clay loam': 'Franco arcillo-arenoso',
  'Sandy clay': 'Arcilla arenosa',
  Loam: 'Franco',
  'Clay loam': 'Franco arcilloso',
  Clay: 'Arcilla',
  'Silt loam': 'Franco limoso',
  Silt: 'Limo',
  'Silty clay loam': 'Franco arcillo-limoso',
  'Silty clay': 'Arcilla limosa',
};

const formatLayer = ({ texture, top, bottom }: SoilLayerFacts): string =>
  `${texture} de ${top} a ${bottom} cm`;

export const spanishSoil: Language['soil'] = {
  texture: (usdaClass) => TEXTURE_NAMES[usdaClass],
  layer: formatLayer,
  layerWithThresholds: (layer, fieldCapacity, wiltingPoint) =>
    `${formatLayer(layer)} (capacidad de campo ${fieldCapacity} %, punto de marchitez ${wiltingPoint} %)`,
  noProfile: (parcel) =>
    `No hay ningún suelo declarado para ${parcel}: pregunte su textura y declárela con set_soil_profile.`,
  profile: (parcel, layers) => `El suelo de ${parcel}, de arriba abajo: ${layers.join('; ')}.`,
  declaredLayers: (parcel, layers) =>
    `Declarado para ${parcel} a partir de ahora: ${layers.length === 0 ? 'nada nuevo' : layers.join(', ')}.`,
  closedLayers: (layers) => `Cerradas, y conservadas para el pasado: ${layers.join(', ')}.`,
  layersStillInForce: (layers) => `Siguen en vigor: ${layers.join(', ')}.`,
  overlappingLayers: (layers) =>
    `${layers.join(', ')} ${layers.length === 1 ? 'se solapa' : 'se solapan'} con lo declarado: donde dos capas cubren una profundidad, cuenta la que empieza más abajo. closeOthers true cierra las demás.`,
  textures: (names) =>
    `${names.length} clases de textura, de la más arenosa a la menos arenosa: ${names.join(', ')}.`,
};
