import { capitalize } from '../../domain/text.ts';
import type { GatewayBody } from '../../schema/company/company.ts';
import type { Language } from '../en/index.ts';
import type { ThresholdKind } from '../en/monitoring.ts';
import { spanishCount } from './grammar.ts';

const STATE_NAMES = {
  saturated: 'saturado, por encima de la capacidad de campo',
  comfort: 'en confort hídrico',
  stress: 'en estrés hídrico',
} as const;

const THRESHOLD_NAMES: Record<ThresholdKind, string> = {
  fieldCapacity: 'capacidad de campo',
  wiltingPoint: 'punto de marchitez',
};
const BASIS_NAMES = {
  annotation: 'línea trazada en su curva',
  soil_profile: 'perfil del suelo',
} as const;

const GATEWAY_STATES: Readonly<Record<GatewayBody['status'], string>> = {
  active: 'en servicio',
  faulty: 'averiada',
};

export const spanishState: Language['state'] = {
  noMoisture: (name) =>
    `No se conoce el estado del suelo de ${name}: no hay ninguna medida de humedad.`,
  reading: (value, at) => `${value} % en volumen ${at}`,
  state: (name, state, reading) => `El suelo de ${name} está ${STATE_NAMES[state]}, ${reading}.`,
  noThresholds: (name, reading) =>
    `No se conoce el estado del suelo de ${name}, por falta de umbrales válidos: ${reading}.`,
  staleData: (name, age, reading) =>
    `Datos antiguos, así que no se conoce el estado del suelo de ${name}: su última medida de humedad es de hace ${age}, ${reading}.`,
};

export const spanishThresholds: Language['thresholds'] = {
  noSoilMoisture: 'No tiene sensor de humedad del suelo; get_moisture_series muestra lo que mide.',
  thresholds: (stressPoint, known) => {
    const rows = known.map(
      ({ kind, value, basis }) => `${THRESHOLD_NAMES[kind]} ${value} % (${BASIS_NAMES[basis]})`,
    );
    return `${capitalize([...(stressPoint === null ? [] : [`umbral de estrés ${stressPoint} %`]), ...rows].join(', '))}.`;
  },
  crossedThresholds:
    'El punto de marchitez no está por debajo de la capacidad de campo, así que no hay umbral de estrés: mueva o borre una línea (update_annotation, delete_annotation).',
  allowedDepletion: {
    setting: (percent) =>
      `Las plantas empiezan a sufrir cuando se ha gastado el ${percent} % del agua entre capacidad de campo y punto de marchitez, según el ajuste de esta sonda.`,
    crop: (percent, crop) =>
      `Las plantas empiezan a sufrir cuando se ha gastado el ${percent} % del agua entre capacidad de campo y punto de marchitez: es el valor de FAO-56 para el cultivo de la parcela (${crop}).`,
    default: (percent) =>
      `Las plantas empiezan a sufrir cuando se ha gastado alrededor del ${percent} % del agua entre capacidad de campo y punto de marchitez; indique el cultivo con set_parcel para usar su propio valor.`,
  },
  missingThresholds: (missing) =>
    `Falta ${missing.map((kind) => `${kind === 'wiltingPoint' ? 'el' : 'la'} ${THRESHOLD_NAMES[kind]}`).join(' y falta ')}: declare el suelo de su parcela con set_soil_profile, o trace una línea con create_annotation.`,
};

export const spanishGateway: Language['gateway'] = {
  noContact: 'sin ninguna transmisión',
  lastContact: (at) => `última transmisión ${at}`,
  noMatch: 'Ninguna pasarela coincide.',
  faulty: (imei, lastContact, modules) =>
    `${imei}, ${lastContact}, ${modules.length === 0 ? 'sin módulos' : `con ${modules.join(', ')}`}`,
  list: (names, faulty) =>
    `Pasarelas: ${names}. ${faulty.length === 0 ? 'Ninguna está averiada.' : `Averiadas: ${faulty.join('; ')}.`}`,
  unplugged: (name) => `${name} no está conectado a ninguna pasarela.`,
  health: ({ name, imei, status, lastContact, soc, level }) =>
    `La pasarela de ${name} (${imei}) está ${GATEWAY_STATES[status]}: ${lastContact}, ${soc === null ? 'batería desconocida' : `batería ${soc} %`}, ${level === null ? 'señal desconocida' : `señal ${spanishCount(level, 'barra')} de 4`}.`,
};

export const spanishTension: Language['tension'] = {
  noReading: (name) => `El estado de ${name} es desconocido: no tiene medidas de tensión.`,
  reading: (value, at) => `${value} kPa ${at}`,
  staleData: (name, age, reading) =>
    `Datos antiguos, así que el estado de ${name} es desconocido: su última tensión es de hace ${age}, ${reading}.`,
  tooDry: ({ name, reading, dry }) =>
    `${name} está demasiado seco: ${reading}, por encima de su nivel seco de ${dry} kPa (cuanto más alto, más seco).`,
  tooWet: ({ name, reading, wet }) =>
    `${name} está saturado: ${reading}, por debajo de su nivel húmedo de ${wet} kPa (cuanto más alto, más seco).`,
  comfort: ({ name, reading, wet, dry }) =>
    `${name} está en confort: ${reading}, entre su nivel húmedo de ${wet} y su nivel seco de ${dry} kPa (cuanto más alto, más seco).`,
  notDry: ({ name, reading, dry }) =>
    `${name} no está demasiado seco: ${reading}, no supera su nivel seco de ${dry} kPa (cuanto más alto, más seco). No hay nivel húmedo trazado.`,
  notWet: ({ name, reading, wet }) =>
    `${name} no está saturado: ${reading}, no baja de su nivel húmedo de ${wet} kPa (cuanto más alto, más seco). No se sabe si está demasiado seco, porque no hay nivel seco trazado.`,
  noLevels: ({ name, reading }) =>
    `${name} marca ${reading}; cuanto más alto, más seco. No se sabe si es demasiado seco, porque no hay niveles trazados.`,
  crossedLevels: ({ name, reading, wet, dry }) =>
    `${name} marca ${reading}; cuanto más alto, más seco. Pero su nivel húmedo de ${wet} kPa no está por debajo de su nivel seco de ${dry} kPa: corrija uno con update_annotation.`,
  waterNow: 'Riegue ahora.',
  notYet: 'Todavía no hace falta regar.',
  typical: (texture, { wet, from, to }) =>
    `Habitual en ${texture.toLowerCase()}: regar entre ${from} y ${to} kPa, saturado por debajo de ${wet} kPa; depende del cultivo.`,
  drawLevels:
    'Pregunte qué niveles valen y trácelos con create_annotation: chartType tensio, type h-line, fill dry (seco) o wet (húmedo).',
  unknownSoil:
    'Los niveles habituales dependen del suelo: se proponen en cuanto se declara la textura de su parcela (set_soil_profile).',
};

const MEASURED: Readonly<Record<string, (value: string) => string>> = {
  humidity: (value) => `humedad ${value} %`,
  temperature: (value) => `temperatura ${value} °C`,
  rain: (value) => `lluvia ${value} mm`,
  wind: (value) => `viento ${value} m/s`,
  radiation: (value) => `radiación ${value} W/m2`,
  tensio: (value) => `tensión ${value} kPa`,
};

export const spanishDevice: Language['device'] = {
  reading: (type, value) => MEASURED[type]?.(value) ?? `${type} ${value}`,
  assigned: (device, depths, earlierReadings) =>
    `Sus medidas vienen del dispositivo ${device}${depths === null ? '' : `, a ${depths} cm`}${earlierReadings === 0 ? '' : `; también ${spanishCount(earlierReadings, 'medida recibida antes cuenta', 'medidas recibidas antes cuentan')}`}.`,
  battery: (level) => `batería ${level}`,
  signal: (dBm, snr) => `señal ${dBm} dBm${snr === null ? '' : ` (SNR ${snr} dB)`}`,
  status: (device, at, parts) =>
    `Dispositivo ${[`${device}: último envío ${at}`, ...parts].join(', ')}.`,
  unassigned: (devices, others) =>
    devices.length + others === 1
      ? `Un dispositivo sin asignar envía medidas: ${devices.join('; ')}. Asígnelo a una sonda con set_module.`
      : `Hay dispositivos sin asignar que envían medidas: ${devices.join('; ')}${others === 0 ? '' : `; y ${others} más`}. Asigne cada uno a una sonda con set_module.`,
};
