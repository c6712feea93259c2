import type { Language } from '../en/index.ts';
import type { englishSignIn, englishThisDevice } from '../en/page.ts';
import { spanishCount } from './grammar.ts';

const probes = (count: number) => spanishCount(count, 'sonda', 'sondas');

const INVALID_AMOUNT = ['Eso no es una cantidad de agua.', 'Revise la cifra y su unidad.'] as const;

export const spanishPage: Language['page'] = {
  farm: 'Finca',
  loading: 'Cargando…',
  retry: 'Intentar de nuevo',
  close: 'Cerrar',
  back: 'Volver',
  needs: {
    stress: 'en estrés',
    water: 'regar hoy',
    firing: 'alerta',
    soon: 'pronto en estrés',
    doubt: 'revisar primero',
    recheck: 'revisar primero',
    silent: 'sin datos',
    comfort: 'en confort',
    unjudged: 'sin umbral de referencia',
    saturated: 'muy húmeda',
  },
  responses: {
    reached: 'llegó a la zona de raíces',
    below_roots: 'pasó por debajo de las raíces',
    no_response: 'no tuvo efecto',
    too_early: 'es demasiado reciente para verse',
    no_data: 'no tiene datos',
  },
  errors: {
    NO_ANSWER: ['El servicio no responde.', 'Compruebe la conexión e inténtelo de nuevo.'],
    unauthenticated: [
      'No ha iniciado sesión.',
      'Abra su enlace de acceso, o pida otro a un propietario.',
    ],
    insufficient_role: [
      'Puede verlo todo, pero no cambiar nada.',
      'Hable con un propietario o gestor.',
    ],
    insufficient_scope: ['No tiene permiso para hacer esto.', 'Hable con un propietario.'],
    rate_limited: ['Demasiadas solicitudes.', 'Espere un minuto e inténtelo de nuevo.'],
    STORE_UNAVAILABLE: ['El servicio está ocupado.', 'Inténtelo de nuevo dentro de un momento.'],
    not_found: ['Ya no existe.', 'Vuelva a la finca.'],
    CHANGE_NOT_UNDOABLE: [
      'Ya no se puede deshacer: algo cambió después.',
      'Abra la sonda y corríjalo allí.',
    ],
    IDEMPOTENCY_KEY_REUSED: [
      'Su primer intento sí quedó registrado.',
      'Mire la sonda antes de registrar otro.',
    ],
    INVALID_STARTED_AT: ['Un riego no puede empezar entonces.', 'Revise el día y el año.'],
    INVALID_DURATION: ['Un riego dura de 1 minuto a 31 días.', 'Indique minutos enteros.'],
    INVALID_DEPTH: INVALID_AMOUNT,
    INVALID_VOLUME: INVALID_AMOUNT,
    INVALID_TARGET: ['Esta parcela no tiene sondas.', 'Elija otra.'],
  },
  otherError: ['No ha funcionado.', 'Inténtelo de nuevo, o enseñe esto a un propietario:'],
  missingPage: 'Aquí no hay nada.',
  probes,
  stations: (count) => spanishCount(count, 'estación meteorológica', 'estaciones meteorológicas'),
  needWater: (count) => `${count} por regar`,
  noProbes: 'Aún no hay sondas: añádalas con su asistente.',
  search: 'Buscar',
  searchLabel: 'Buscar sondas y parcelas',
  order: 'Orden',
  byNeed: 'Por necesidad',
  byParcel: 'Por parcela',
  noParcel: 'Sin parcela',
  found: (count) =>
    count === 0
      ? 'Nada encontrado.'
      : `${spanishCount(count, 'sonda encontrada', 'sondas encontradas')}.`,
  moisture: 'Humedad del suelo',
  tension: 'Tensión del suelo',
  noValue: 'sin valor',
  stressIn: (days) => `estrés en ${days}`,
  seenBy: {
    probe: 'visto por una sonda',
    otherProbe: 'visto por otra sonda',
    assumed: 'supuesto',
    unconfirmed: 'sin confirmar',
  },
  watered: (at) => `regada ${at}`,
  neverWatered: 'ningún riego registrado',
  ago: (age) => `hace ${age}`,
  week: (low, high, unit) => `Últimos 7 días: de ${low} a ${high} ${unit}`,
  toConfirm: (count) =>
    count === 1 ? '¿Se hizo este riego?' : `¿Se hicieron estos ${count} riegos?`,
  ran: 'Sí',
  skip: 'No',
  confirmed: 'Confirmado.',
  skipped: 'Anotado: no se hizo.',
  undo: 'Deshacer',
  undone: 'Deshecho.',
  depths: 'Por profundidad',
  waterings: 'Riegos',
  last: 'Último',
  next: 'Próximo previsto',
  none: 'ninguno',
  unknownDose: 'dosis desconocida',
  wetted: (water, fraction) => `${water} en la zona mojada (${fraction})`,
  log: 'Registrar un riego',
  review: 'Efecto de cada riego',
  where: 'Dónde',
  wholeParcel: (parcel, count) => `Toda la parcela ${parcel} (${probes(count)})`,
  choose: 'Elija una sonda o una parcela',
  when: 'Inicio',
  localTime: (zone) => `Hora de la finca (${zone})`,
  amount: 'Cantidad',
  minutes: 'Minutos',
  wholeArea: 'en toda la superficie',
  dose: 'Dosis',
  preview: 'La dosis aparece aquí.',
  amountFaults: {
    grouped: 'Escríbalo sin separador de miles: 1000, o 1,5.',
    tooLittle: 'Tiene que ser más de 0.',
    unreadable: 'Escriba solo un número, como 40 o 1,5.',
  },
  onEach: (count) => (count === 1 ? 'en la única sonda' : `en cada una de las ${count} sondas`),
  willBe: {
    done: 'Se registrará como hecho.',
    planned: 'Se registrará como previsto.',
    skipped: '',
  },
  overlaps: (at) => `Atención: ya hay un riego registrado a esa hora, ${at}.`,
  skippedHour: 'Esa hora no existe: entonces se adelantan los relojes.',
  warnings: {
    NO_INSTALLATION: 'No se conoce el equipo de ese día.',
    MISSING_FLOW_RATE: 'No se conoce la pluviometría del equipo.',
    MISSING_IRRIGATED_AREA: 'No se conoce la superficie regada.',
    DEFAULT_FRACTION_WETTED: 'La fracción mojada es la habitual de un equipo así.',
  },
  save: 'Registrar',
  saving: 'Guardando…',
  saved: { done: 'Registrado', planned: 'Previsto', skipped: 'Anulado' },
  cancel: 'Cerrar sin registrar',
  readOnly: 'Puede verlo todo, sin cambiar nada.',
  noReviewed: 'En este periodo no hay ningún riego hecho.',
  reachedDepth: (depth) => `hasta ${depth}`,
  gained: (water) => `el suelo ganó ${water}`,
  unlogged: 'El suelo se humedeció sin ningún riego registrado',
  doubted: {
    unseen:
      'Ninguna profundidad mostró los últimos riegos. Compruebe que el agua llega a la sonda.',
    shifted:
      'El suelo se humedeció en días distintos de los registrados. O esos días son incorrectos, o la sonda recibe el agua de otra válvula.',
    early: (hours) =>
      `El suelo se humedeció unas ${hours} h antes de cada inicio registrado. O esas horas son incorrectas, o la sonda recibe el agua de otra válvula.`,
    exchanged: (probe) =>
      `Esta sonda muestra los riegos de ${probe}, y ${probe} los de esta. Compruebe dónde está cada una, y no corrija los riegos registrados salvo que ambas estén en su sitio.`,
  },
  likely: { watering: 'probablemente un riego', rain: 'lluvia', unknown: 'un riego o lluvia' },
  refreshed: (at) => `estado: ${at}`,
};

export const spanishSignIn: typeof englishSignIn = {
  title: 'Entrar en Acequia',
  whom: (person, farm) =>
    `Entrará como ${person} en la finca ${farm}. Si no es usted, o no es su finca, cierre esta página.`,
  lead: 'La sesión queda abierta en este dispositivo durante 90 días. El enlace sirve una sola vez.',
  button: 'Entrar',
  refused: 'Este enlace ya se usó, ha caducado o está incompleto. Pida uno nuevo.',
  failed: 'El servicio no responde. Compruebe la conexión y vuelva a intentarlo.',
  noScript: 'Esta página necesita JavaScript.',
};

export const spanishThisDevice: typeof englishThisDevice = {
  offline: (ago) => `Sin conexión. Datos de ${ago}.`,
  signedIn: (email) => `Sesión de ${email}`,
  signOut: 'Cerrar sesión',
  notify: 'Avisarme de las alertas en este dispositivo',
  blocked: 'Las notificaciones están bloqueadas: permítalas en los ajustes del navegador.',
  failed: 'No se pudo. Vuelva a intentarlo cuando haya conexión.',
};
