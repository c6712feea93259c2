import type { MailPhrases } from '../en/mail.ts';
import { spanishFormat } from './grammar.ts';
import { spanishTime } from './time.ts';

const NOTHING_TO_DO = 'No hay nada que hacer; la alerta sigue vigilando.';

export const spanishMail: MailPhrases = {
  format: {
    number: spanishFormat.number,
    day: (day, month, year) =>
      `${day} de ${spanishFormat.months('long')[month - 1]}${year === null ? '' : ` de ${year}`}`,
    dateTimeSeparator: ', ',
    repeatedHour: spanishTime.repeatedHour,
    units: { days: 'días', hour: 'h', minute: 'min' },
  },
  colon: ': ',
  andOthers: (subject, count) =>
    `${subject}, y ${count} ${count === 1 ? 'mensaje más' : 'mensajes más'}`,
  newestValue: (value) => ` al ${value}`,
  kinds: {
    moisture: {
      value: 'Humedad',
      fired: {
        subject: (name, value, limit) => `Suelo seco: ${name}${value}, umbral ${limit}`,
        lead: (probe, limit, isBelow) =>
          `La humedad de ${probe} ${isBelow ? 'está' : 'bajó'} por debajo del ${limit}.`,
        advice:
          'Mire las plantas y el suelo allí, riegue si lo necesitan y registre lo que aporte.',
      },
      reminder: {
        subject: (day, name, value, limit) =>
          `Sigue seco, día ${day}: ${name}${value}, umbral ${limit}`,
        advice:
          'Riegue si las plantas lo necesitan y registre lo que aporte; o cambie el umbral si es demasiado alto.',
      },
      stale: {
        lead: (probe, since) =>
          `${probe} no ha transmitido ninguna lectura de humedad${since === null ? '' : ` desde el ${since}`}: su alerta no puede dispararse ni resolverse hasta que lleguen datos nuevos.`,
        advice:
          'Revise la sonda y su pasarela (alimentación, ubicación, red) y mire el suelo mientras tanto.',
      },
      reached: (probe, resolveAt) =>
        `La humedad de ${probe} ha llegado al ${resolveAt}: la alerta está resuelta.`,
    },
  },
  firingFor: (probe, duration) => `La alerta de ${probe} lleva disparada ${duration}.`,
  aboveThreshold: (limit, resolveAt) =>
    `Vuelve a estar por encima del ${limit}, sin llegar al ${resolveAt} con el que se resuelve la alerta.`,
  lateThreshold: (stressPoint) =>
    `Allí las plantas empiezan a sufrir ya con un ${stressPoint}, por encima de este umbral.`,
  unknownState: 'No se sabe nada del estado actual.',
  oldValue: (age) => `El último valor es de hace ${age}, demasiado para conocer el estado actual.`,
  noData: {
    subject: (name, age) =>
      `Sin datos de ${name}${age === null ? '' : ` desde hace ${age}`}: su alerta no puede vigilar`,
    wasFiring: 'Estaba disparada, y sigue contando como tal.',
    wasQuiet: 'No estaba disparada.',
  },
  reached: {
    subject: (name, value) => `Alerta resuelta: ${name}${value}`,
    advice: NOTHING_TO_DO,
  },
  ruleChanged: {
    subject: (name) => `Alerta resuelta: se ha cambiado el umbral de ${name}`,
    lead: (probe) =>
      `La alerta de ${probe} ya no está disparada, porque se ha cambiado su umbral o su histéresis.`,
    advice: 'Si no esperaba este cambio, pregunte a quien gestiona la alerta.',
  },
  corrected: {
    subject: (name, value) => `Alerta retirada: ${name}${value}`,
    lead: (probe) => `Finalmente, la alerta de ${probe} no está disparada.`,
    cause:
      'Unas lecturas que llegaron tarde, o se corrigieron, muestran valores distintos de los que la dispararon.',
    advice: NOTHING_TO_DO,
  },
  lasted: (duration, lowest) =>
    `Duró ${duration}${lowest === null ? '' : `, con un mínimo del ${lowest}`}.`,
  noValue: 'sin valor',
  reading: (value, at, age) => `${value} el ${at}, hace ${age}`,
  threshold: 'Umbral',
  limits: (limit, resolveAt) => `por debajo del ${limit}; se resuelve al ${resolveAt} o más`,
  lowSince: 'Humedad baja desde',
  since: (at) => `el ${at}`,
  lowestSince: 'Mínimo desde entonces',
  stressPoint: 'Las plantas sufren desde',
  fieldCapacity: { label: 'Capacidad de campo', undeclared: 'no declarada' },
  wiltingPoint: { label: 'Punto de marchitez', undeclared: 'no declarado' },
  basis: { annotation: 'la línea trazada en la curva', soil_profile: 'el suelo de la parcela' },
  waterings: {
    title: 'Últimos riegos',
    none: 'No hay ninguno registrado.',
    noDose: 'dosis desconocida',
    unconfirmed: 'sin confirmar',
  },
  doubt: {
    subject: (name, check) => `Revise ${name}: ${check}`,
    lead: (probe, since, check) =>
      `Las lecturas de ${probe} son dudosas desde el ${since}: ${check}.`,
    steps: {
      NO_RESPONSE:
        'Compruebe que llega el agua (válvula, filtro, goteros) y que la sonda está en el suelo mojado.',
      DEPTHS_JUMPED:
        'Revise el conector, el cable y la alimentación de la sonda y mire el suelo; si llegó agua, anótela.',
      MOSTLY_SILENT: 'Revise los sensores que no envían datos: cables, conectores y alimentación.',
      DRY_BY_BALANCE:
        'Mire si están anotados todos los riegos y la lluvia, luego si son correctos el equipo y el cultivo, y después revise la sonda.',
      TOO_WET: 'Busque una fuga, un punto bajo o sales, y mire si a las raíces les falta aire.',
      ROOTS_NOT_MEASURED: 'Revise la profundidad de sus raíces y las de sus sensores.',
      SOIL_IN_DOUBT:
        'Revise la textura de su parcela y busque agua estancada; si la textura es correcta, dibuje la capacidad de campo.',
      FIELD_CAPACITY_IN_DOUBT:
        'Revise la línea de capacidad de campo y el perfil del suelo; confirme la línea si es correcta.',
      TENSION_AT_LIMIT:
        'Revise el tensiómetro (agua, cápsula, contacto con el suelo) y mire el suelo.',
      TENSION_AT_ZERO:
        'Revise el tensiómetro (agua, cápsula, contacto con el suelo) y mire el suelo.',
      TENSION_FELL: 'Revise el tensiómetro (agua, cápsula, contacto con el suelo) y mire el suelo.',
      WILTING_POINT_IN_DOUBT:
        'Revise la línea del punto de marchitez y el perfil del suelo; confirme la línea si es correcta.',
    },
    meanwhile: {
      tooWet: 'Hasta que haya mirado el suelo, no dé más agua allí.',
      look: 'Mientras tanto, mire el suelo antes de regar allí.',
      noWater: (probe) =>
        probe === null
          ? 'Por ahora, no riegue: según el balance hídrico no hace falta.'
          : `Por ahora, no riegue: ${probe}, en la misma válvula, todavía no lo necesita.`,
      byProbe: (probe, amount) =>
        `Mientras tanto, dé lo que necesita ${probe}, en la misma válvula: ${amount}.`,
      byBalance: (amount) => `Mientras tanto, dé lo que indica el balance hídrico: ${amount}.`,
      asBefore: (amount, isUnconfirmed) =>
        `Mientras tanto, siga como en los últimos 14 días: ${amount} a la semana${isUnconfirmed ? ', si se hicieron todos los riegos' : ''}.`,
    },
    footer: (zone, company) =>
      `Días locales (${zone}). Acequia escribe una vez por cada duda en ${company}, a quienes reciben las alertas de la sonda o, si no hay nadie, al propietario.`,
  },
  footer: (zone, company) =>
    `Horas locales (${zone}). Acequia le escribe porque es usted destinatario de esta alerta de ${company}; quien la gestiona puede desactivarla.`,
};
