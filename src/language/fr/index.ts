import type { Language } from '../en/index.ts';
import {
  frenchAdvicePhrases,
  frenchBriefPhrases,
  frenchOverview,
  frenchSuggestion,
} from './advice.ts';
import { frenchAlertPhrases, frenchAnnotationPhrases } from './alerts.ts';
import { frenchChartLabels, frenchChartPhrases, frenchPageChart } from './chart.ts';
import { frenchChanges, frenchEnumLabels, frenchPlace } from './company.ts';
import { frenchCore, frenchList, frenchQuestions } from './core.ts';
import { frenchFormat } from './grammar.ts';
import {
  frenchCsvImport,
  frenchImportReport,
  frenchRejections,
  frenchSkippedColumns,
} from './imports.ts';
import { frenchReview, frenchWatering } from './irrigation.ts';
import { frenchMail } from './mail.ts';
import { frenchDoubt, frenchSeries } from './moisture.ts';
import {
  frenchDevice,
  frenchGateway,
  frenchState,
  frenchTension,
  frenchThresholds,
} from './monitoring.ts';
import { frenchCrops, frenchNames } from './names.ts';
import { frenchPage, frenchSignIn, frenchThisDevice } from './page.ts';
import { frenchSchedule, frenchSettings, frenchSetup, frenchSoil } from './setup.ts';
import { frenchRain, frenchWeather } from './weather.ts';
import { frenchWords } from './words.ts';

export const french: Language = {
  countries: 'FR MC SN CI ML BF BJ TG GN NE GA CG CD GP MQ GF RE YT PM BL MF NC PF WF TF'.split(
    ' ',
  ),
  format: frenchFormat,
  core: frenchCore,
  list: frenchList,
  questions: frenchQuestions,
  place: frenchPlace,
  enumLabels: frenchEnumLabels,
  crops: frenchCrops,
  names: frenchNames,
  changes: frenchChanges,
  rain: frenchRain,
  weather: frenchWeather,
  soil: frenchSoil,
  series: frenchSeries,
  doubt: frenchDoubt,
  state: frenchState,
  thresholds: frenchThresholds,
  tension: frenchTension,
  gateway: frenchGateway,
  device: frenchDevice,
  csvImport: frenchCsvImport,
  importReport: frenchImportReport,
  rejections: frenchRejections,
  skippedColumns: frenchSkippedColumns,
  alert: frenchAlertPhrases,
  annotation: frenchAnnotationPhrases,
  watering: frenchWatering,
  settings: frenchSettings,
  setup: frenchSetup,
  schedule: frenchSchedule,
  advice: frenchAdvicePhrases,
  brief: frenchBriefPhrases,
  overview: frenchOverview,
  review: frenchReview,
  suggestion: frenchSuggestion,
  chart: frenchChartPhrases,
  chartLabels: frenchChartLabels,
  mail: frenchMail,
  page: frenchPage,
  pageChart: frenchPageChart,
  signIn: frenchSignIn,
  thisDevice: frenchThisDevice,
  words: frenchWords,
};
