import type { GatewayBody } from '../../schema/company.ts';
import type { Language } from '../en/index.ts';
import type { ThresholdKind } from '../en/monitoring.ts';
import { capitalize } from '../text.ts';
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
const BASIS_NAMES = { annotation: 'línea trazada en su curva', soil_profile: 'perfil del suelo' } as const;

const GATEWAY_STATES: Readonly<Record<GatewayBody['status'], string>> = { active: 'en servicio', faulty: 'averiada' };

export const spanishState: Language['state'] = {
  noMoisture: (name) => `No se conoce el estado del suelo de ${name}: no hay ninguna medida de humedad.`,
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
    const rows = known.map(({ kind, value, basis }) => `${THRESHOLD_NAMES[kind]} ${value} % (${BASIS_NAMES[basis]})`);
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

export const spanishCsvImport: Language['csvImport'] = {
  dryRun: 'Todavía no se ha guardado nada; así se ha entendido el archivo.',
  profile: (provider) => `El archivo es una exportación de ${provider}.`,
  nothing: 'El archivo no tiene ninguna lectura que se pueda guardar.',
  module: (name, sensors, period) => `${name} (${sensors}), ${period}`,
  stored: ({ written, changed, unchanged, isDryRun }, modules, more) =>
    `${isDryRun ? 'Por guardar' : 'Guardado'}: ${spanishCount(written, 'lectura nueva', 'lecturas nuevas')}, ${spanishCount(changed, 'cambiada')}, ${unchanged} ya guardadas. ` +
    `${modules.join('; ')}${more > 0 ? `; y ${spanishCount(more, 'módulo más', 'módulos más')}` : ''}.`,
  refused: (rows, reasons) =>
    `${spanishCount(rows, 'fila se ha rechazado', 'filas se han rechazado')}, al menos en parte: ${reasons}.`,
  unread: (names) => `Columnas no leídas: ${names}.`,
};
