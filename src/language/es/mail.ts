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
  footer: (zone, company) =>
    say`Horas locales (${zone}). Acequia le escribe porque es usted destinatario de esta alerta de ${company}; quien la gestiona puede desactivarla.`,
};
