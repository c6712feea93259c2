import { say } from '../../domain/text/say.ts';
import type { MailPhrases } from '../en/mail.ts';
import { spanishFormat } from './grammar.ts';
import { spanishTime } from './time.ts';

const NOTHING_TO_DO = say`No hay nada que hacer; la alerta sigue vigilando.`;

export const spanishMail: MailPhrases = {
  format: {
    number: spanishFormat.number,
    day: (day, month, year) =>
      `${day} de ${spanishFormat.months('long')[month - 1]}${year === null ? '' : ` de ${year}`}`,
    dateTimeSeparator: ', ',
    repeatedHour: spanishTime.repeatedHour,
    units: { days: 'días', hour: 'h', minute: 'min' },
  },
  colon: say`: `,
  andOthers: (subject, count) =>
    `${subject}, y ${count} ${count === 1 ? 'mensaje más' : 'mensajes más'}`,
  newestValue: (value) => say` al ${value}`,
  kinds: {
    moisture: {
      value: say`Humedad`,
      fired: {
        subject: (name, value, limit) => say`Suelo seco: ${name}${value}, umbral ${limit}`,
        lead: (probe, limit, isBelow) =>
          say`La humedad de ${probe} ${isBelow ? say`está` : say`bajó`} por debajo del ${limit}.`,
        advice: say`Mire las plantas y el suelo allí, riegue si lo necesitan y registre lo que aporte.`,
      },
      reminder: {
        subject: (day, name, value, limit) =>
          say`Sigue seco, día ${day}: ${name}${value}, umbral ${limit}`,
        advice: say`Riegue si las plantas lo necesitan y registre lo que aporte; o cambie el umbral si es demasiado alto.`,
      },
      stale: {
        lead: (probe, since) =>
          say`${probe} no ha transmitido ninguna lectura de humedad${since === null ? null : say` desde el ${since}`}: su alerta no puede dispararse ni resolverse hasta que lleguen datos nuevos.`,
        advice: say`Revise la sonda y su pasarela (alimentación, ubicación, red) y mire el suelo mientras tanto.`,
      },
      reached: (probe, resolveAt) =>
        say`La humedad de ${probe} ha llegado al ${resolveAt}: la alerta está resuelta.`,
    },
  },
  firingFor: (probe, duration) => say`La alerta de ${probe} lleva disparada ${duration}.`,
  aboveThreshold: (limit, resolveAt) =>
    say`Vuelve a estar por encima del ${limit}, sin llegar al ${resolveAt} con el que se resuelve la alerta.`,
  lateThreshold: (stressPoint) =>
    say`Allí las plantas empiezan a sufrir ya con un ${stressPoint}, por encima de este umbral.`,
  unknownState: say`No se sabe nada del estado actual.`,
  oldValue: (age) =>
    say`El último valor es de hace ${age}, demasiado para conocer el estado actual.`,
  noData: {
    subject: (name, age) =>
      say`Sin datos de ${name}${age === null ? null : say` desde hace ${age}`}: su alerta no puede vigilar`,
    wasFiring: say`Estaba disparada, y sigue contando como tal.`,
    wasQuiet: say`No estaba disparada.`,
  },
  reached: {
    subject: (name, value) => say`Alerta resuelta: ${name}${value}`,
    advice: NOTHING_TO_DO,
  },
  ruleChanged: {
    subject: (name) => say`Alerta resuelta: se ha cambiado el umbral de ${name}`,
    lead: (probe) =>
      say`La alerta de ${probe} ya no está disparada, porque se ha cambiado su umbral o su histéresis.`,
    advice: say`Si no esperaba este cambio, pregunte a quien gestiona la alerta.`,
  },
  corrected: {
    subject: (name, value) => say`Alerta retirada: ${name}${value}`,
    lead: (probe) => say`Finalmente, la alerta de ${probe} no está disparada.`,
    cause: say`Unas lecturas que llegaron tarde, o se corrigieron, muestran valores distintos de los que la dispararon.`,
    advice: NOTHING_TO_DO,
  },
  lasted: (duration, lowest) =>
    say`Duró ${duration}${lowest === null ? null : say`, con un mínimo del ${lowest}`}.`,
  noValue: say`sin valor`,
  reading: (value, at, age) => say`${value} el ${at}, hace ${age}`,
  threshold: say`Umbral`,
  limits: (limit, resolveAt) => say`por debajo del ${limit}; se resuelve al ${resolveAt} o más`,
  lowSince: say`Humedad baja desde`,
  since: (at) => say`el ${at}`,
  lowestSince: say`Mínimo desde entonces`,
  stressPoint: say`Las plantas sufren desde`,
  fieldCapacity: { label: say`Capacidad de campo`, undeclared: say`no declarada` },
  wiltingPoint: { label: say`Punto de marchitez`, undeclared: say`no declarado` },
  basis: {
    annotation: say`la línea trazada en la curva`,
    soil_profile: say`el suelo de la parcela`,
  },
  waterings: {
    title: say`Últimos riegos`,
    none: say`No hay ninguno registrado.`,
    noDose: say`dosis desconocida`,
    unconfirmed: say`sin confirmar`,
  },
  doubt: {
    subject: (name, check) => say`Revise ${name}: ${check}`,
    lead: (probe, since, check) =>
      say`Las lecturas de ${probe} son dudosas desde el ${since}: ${check}.`,
    steps: {
      NO_RESPONSE: say`Compruebe que llega el agua (válvula, filtro, goteros) y que la sonda está en el suelo mojado.`,
      DEPTHS_JUMPED: say`Revise el conector, el cable y la alimentación de la sonda y mire el suelo; si llegó agua, anótela.`,
      MOSTLY_SILENT: say`Revise los sensores que no envían datos: cables, conectores y alimentación.`,
      DRY_BY_BALANCE: say`Mire si están anotados todos los riegos y la lluvia, luego si son correctos el equipo y el cultivo, y después revise la sonda.`,
      TOO_WET: say`Busque una fuga, un punto bajo o sales, y mire si a las raíces les falta aire.`,
      ROOTS_NOT_MEASURED: say`Revise la profundidad de sus raíces y las de sus sensores.`,
      SOIL_IN_DOUBT: say`Revise la textura de su parcela y busque agua estancada; si la textura es correcta, dibuje la capacidad de campo.`,
      FIELD_CAPACITY_IN_DOUBT: say`Revise la línea de capacidad de campo y el perfil del suelo; confirme la línea si es correcta.`,
      TENSION_AT_LIMIT: say`Revise el tensiómetro (agua, cápsula, contacto con el suelo) y mire el suelo.`,
      TENSION_AT_ZERO: say`Revise el tensiómetro (agua, cápsula, contacto con el suelo) y mire el suelo.`,
      TENSION_FELL: say`Revise el tensiómetro (agua, cápsula, contacto con el suelo) y mire el suelo.`,
      WILTING_POINT_IN_DOUBT: say`Revise la línea del punto de marchitez y el perfil del suelo; confirme la línea si es correcta.`,
    },
    meanwhile: {
      tooWet: say`Hasta que haya mirado el suelo, no dé más agua allí.`,
      look: say`Mientras tanto, mire el suelo antes de regar allí.`,
      noWater: (probe) =>
        probe === null
          ? say`Por ahora, no riegue: según el balance hídrico no hace falta.`
          : say`Por ahora, no riegue: ${probe}, en la misma válvula, todavía no lo necesita.`,
      byProbe: (probe, amount) =>
        say`Mientras tanto, dé lo que necesita ${probe}, en la misma válvula: ${amount}.`,
      byBalance: (amount) => say`Mientras tanto, dé lo que indica el balance hídrico: ${amount}.`,
      asBefore: (amount, isUnconfirmed) =>
        say`Mientras tanto, siga como en los últimos 14 días: ${amount} a la semana${isUnconfirmed ? say`, si se hicieron todos los riegos` : null}.`,
    },
    footer: (zone, company) =>
      say`Días locales (${zone}). Acequia escribe una vez por cada duda en ${company}, a quienes reciben las alertas de la sonda o, si no hay nadie, al propietario.`,
  },
  footer: (zone, company) =>
    say`Horas locales (${zone}). Acequia le escribe porque es usted destinatario de esta alerta de ${company}; quien la gestiona puede desactivarla.`,
};
