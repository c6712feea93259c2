import type { ChangeAction, CountedKind } from '../../schema/changes/change.ts';
import type { WateringSource } from '../../schema/irrigation/watering.ts';
import type { CompanyWords, ModuleKind, SettingWords } from '../en/company.ts';
import type { Language } from '../en/index.ts';
import { spanishCount, spanishNoun } from './grammar.ts';

const MODULE_KINDS: Readonly<Record<ModuleKind, string>> = {
  SOIL_PROBE: 'una sonda',
  TENSIOMETER: 'un tensiómetro',
  WEATHER_STATION: 'una estación meteorológica',
};

const SETTINGS: SettingWords = {
  position: ['posición', 'sin posición'],
  commissionedAt: ['puesta en servicio:', 'sin fecha de puesta en servicio'],
  serialHex: ['número de serie', 'sin número de serie'],
  number: ['número', 'sin número'],
  uid: ['identificador en sus lecturas', 'sin identificador'],
  gateway: ['pasarela', 'sin pasarela'],
  rootDepthCm: ['profundidad de raíces', 'sin profundidad de raíces'],
  depthWeights: ['pesos', 'sin pesos'],
};

const COMPANY_SETTINGS: CompanyWords = {
  name: ['nombre', 'ninguno'],
  legalName: ['razón social', 'ninguna'],
  countryCode: ['país', 'ninguno'],
  currency: ['moneda', 'ninguna'],
  city: ['ciudad', 'ninguna'],
  postalCode: ['código postal', 'ninguno'],
  region: ['región', 'ninguna'],
  timezone: ['huso horario', 'ninguno'],
};

const MODULE_LABELS: Readonly<Record<string, string>> = {
  SOIL_PROBE: 'Sonda',
  TENSIOMETER: 'Tensiómetro',
  WEATHER_STATION: 'Estación meteorológica',
};

const companySetting: Language['place']['companySetting'] = (name, value) =>
  `${COMPANY_SETTINGS[name][0]}: ${value ?? COMPANY_SETTINGS[name][1]}`;

export const spanishPlace: Language['place'] = {
  noName: 'sin nombre',
  moduleLabel: (category) => MODULE_LABELS[category ?? ''] ?? 'Módulo',
  noModule: 'Ningún módulo coincide.',
  modules: (names) => `Módulos: ${names}.`,
  noParcel: 'No hay ninguna parcela.',
  parcels: (names) => `Parcelas: ${names}.`,
  module: ({ name, kind, parcel, sensors, depths, isMoved }) => {
    const where = parcel === null ? 'fuera de toda parcela' : `en ${parcel}`;
    const measuring =
      depths.length === 0
        ? spanishCount(sensors, 'sensor', 'sensores')
        : `sensores a ${depths.join(', ')} cm`;
    return `${name} es ${kind === null ? 'un módulo' : MODULE_KINDS[kind]} ${where}, ${measuring}.${isMoved ? ' Hay que confirmar de nuevo su posición.' : ''}`;
  },
  setting: (name, value) => (value === null ? SETTINGS[name][1] : `${SETTINGS[name][0]} ${value}`),
  beginning: 'desde siempre',
  weightAt: (weight, depth) => `${weight} a ${depth} cm`,
  similarName: (tool, existing) =>
    `El nombre se parece al de ${existing}, que también existe. Para cambiar uno de los dos, llame a ${tool} con su name y newName.`,
  company: (name, city, zone, isDeclared) =>
    `${name}${city === null ? '' : `, ${city}`}; huso horario ${zone}${isDeclared ? '' : ' (no hay ninguno declarado)'}.`,
  companySetting,
  companyChange: (name, value, before) =>
    `${companySetting(name, value)} (antes: ${before ?? COMPANY_SETTINGS[name][1]})`,
  added: 'Añadido:',
  changed: 'Cambiado:',
  unchanged: 'No ha cambiado nada:',
  companyNext: 'Lo siguiente: declarar sus parcelas y sondas.',
  parcel: ({ name, crop, area, hasOutline }) =>
    `${[name, crop, area, hasOutline ? 'con contorno' : 'sin contorno'].filter((part) => part !== null).join(', ')}.`,
  sensorsKept: (sensors) => `Estos sensores tienen lecturas y se conservan: ${sensors}.`,
  noMembers: 'La explotación no tiene ningún miembro.',
  signInLink: (email, until) =>
    `Con este enlace ${email} entra en la página, una sola vez, hasta ${until}. Quien lo abra primero entra como esta persona.`,
  opensHereOnly:
    'Solo se abre en el ordenador donde corre «acequia serve». Para un móvil, ponga en ACEQUIA_PUBLIC_URL la dirección https del servicio.',
  members: (people) =>
    `Miembros: ${people.map(({ name, role }) => `${name} (${spanishEnumLabels.company_roles[role].toLowerCase()})`).join(', ')}.`,
  enums: (lists, codes) => `${lists} listas de códigos con sus nombres, ${codes} códigos en total.`,
};

export const spanishEnumLabels: Language['enumLabels'] = {
  measurement_types: {
    humidity: 'Humedad',
    temperature: 'Temperatura',
    tensio: 'Tensión',
  },
  company_roles: {
    OWNER: 'Propietario',
    MANAGER: 'Gestor',
    VIEWER: 'Lector',
  },
  agronomic_states: {
    saturated: 'Saturado',
    comfort: 'Confort',
    stress: 'Estrés',
  },
  irrigation_systems: {
    drip: 'Goteo',
    micro_sprinkler: 'Microaspersión',
    sprinkler: 'Aspersión',
    pivot: 'Pívot',
    gravity: 'Gravedad (surcos, inundación)',
    manual: 'Manual (manguera, regadera)',
    other: 'Otro',
  },
  irrigation_input_modes: {
    duration: 'Duración (min)',
    depth_mm: 'Lámina de agua (mm)',
    volume_m3: 'Volumen (m³)',
  },
  irrigation_event_statuses: {
    planned: 'Previsto',
    done: 'Realizado',
    skipped: 'Anulado',
  },
  irrigation_event_sources: {
    manual: 'Registro manual',
    schedule: 'Programa',
    api: 'API',
    mcp: 'Asistente (MCP)',
  },
  irrigation_schedule_freqs: {
    daily: 'Cada N días',
    weekly: 'Ciertos días de la semana',
  },
  irrigation_confirmation_policies: {
    auto: 'Cuenta como realizado',
    manual: 'Por confirmar',
  },
  irrigation_warnings: {
    NO_INSTALLATION: 'Sin instalación en esa fecha',
    MISSING_FLOW_RATE: 'Falta el caudal en la instalación',
    MISSING_IRRIGATED_AREA: 'Falta la superficie regada en la instalación',
    DEFAULT_FRACTION_WETTED: 'Fracción mojada por defecto',
  },
};

const NOUNS: Record<CountedKind, readonly [one: string, many: string, ending: 'o' | 'a']> = {
  watering: ['riego', 'riegos', 'o'],
  rain: ['registro de lluvia', 'registros de lluvia', 'o'],
  weather: ['día de meteorología', 'días de meteorología', 'o'],
  planned_watering: ['riego previsto', 'riegos previstos', 'o'],
  schedule: ['programa', 'programas', 'o'],
  installation: ['instalación', 'instalaciones', 'a'],
  placement: ['ubicación', 'ubicaciones', 'a'],
  settings: ['versión de ajustes', 'versiones de ajustes', 'a'],
  soil_layer: ['capa de suelo', 'capas de suelo', 'a'],
  alert: ['alerta', 'alertas', 'a'],
  alert_recipient: ['destinatario', 'destinatarios', 'o'],
  annotation: ['anotación', 'anotaciones', 'a'],
  company: ['explotación', 'explotaciones', 'a'],
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
  isOn: (isOn) => (isOn ? 'en marcha' : 'en pausa'),
  readings: 'lecturas importadas',
  undone: (effects, names, when) =>
    `Deshecho: ${withNames(effects, names)}. Era lo anotado ${when}.`,
  askUndo: ({ when, who, surface, effects }) =>
    `¿Deshacer lo anotado ${when}${who === null ? '' : ` por ${who}`}, ${SURFACES[surface]}? Resultado: ${effects}.`,
  entry: ({ when, who, surface, effects, fields, isUndo, isUndone }) =>
    `${when}${who === null ? '' : `, por ${who}`}, ${SURFACES[surface]}: ${[effects, ...fields].join(', ')}${isUndo ? ', al deshacer' : ''}${isUndone ? ', deshecho después' : ''}`,
  newest: (entries) => `Los últimos cambios: ${entries.join('; ')}.`,
  undoneSince: (changeId) =>
    `Esto se deshizo después, con el cambio ${changeId}: no queda nada guardado. Para anotarlo de nuevo, repítalo con otra idempotencyKey.`,
  rowsWithheld: (scopes) =>
    `Algunos valores cambiados no se muestran: falta el permiso para leerlos (${scopes}).`,
  none: 'Todavía no se ha cambiado nada.',
};
