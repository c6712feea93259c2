import { englishCount } from '../en/grammar.ts';
import { nextCall } from '../next-calls.ts';

export const overviewPhrases = {
  noProbe: (stations: number) =>
    `There are no probes, only ${englishCount(stations, 'weather station')}.${nextCall('set_module')}`,
  driest: (probes: number, list: string) =>
    probes === 1 ? `${list}.` : `Driest of ${probes} probes: ${list}.`,
  /** Of those not described before. */
  others: (list: string) => `Others: ${list}.`,
  driestTension: (list: string) => `Highest tension, which is drier: ${list}.`,
  noValue: (probes: number) =>
    probes === 1
      ? 'The only probe cannot be judged by its readings now.'
      : `None of the ${probes} probes can be judged by its readings now.`,
  moisture: (name: string, value: string) => `${name}, ${value} %`,
  tension: (name: string, value: string) => `${name}, ${value} kPa`,
  comfort: 'in comfort',
  saturated: 'very wet',
  noNeed: 'None is known to need more water today than is planned.',
  needs: (count: number, list: string) =>
    `${count} ${count === 1 ? 'needs' : 'need'} water today: ${list}.`,
  next: (list: string) => `Next: ${list}.`,
  checkFirst: (list: string) => `Check before watering: ${list}.`,
  differing: (list: string) => `Unlike others on their valve: ${list}.`,
  firing: (list: string) => `Alerts firing: ${list}.`,
  silent: (list: string) => `Silent: ${list}.`,
  unjudged: (list: string) => `No stress point or dry level to judge by: ${list}.`,
  omittedProbes: (count: number) =>
    `${count} less urgent ${count === 1 ? 'one is' : 'ones are'} not listed here.`,
};
