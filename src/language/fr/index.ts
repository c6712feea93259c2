import type { Language } from '../en/index.ts';
import { frenchAdvicePhrases, frenchBriefPhrases, frenchChartPhrases, frenchReview } from './advice.ts';
import { frenchAlertPhrases, frenchAnnotationPhrases } from './alerts.ts';
import { frenchChanges } from './changes.ts';
import { frenchChartLabels } from './chart.ts';
import { frenchEnumLabels, frenchPlace } from './company.ts';
import { frenchCore, frenchList, frenchQuestions } from './core.ts';
import { frenchCrops } from './crops.ts';

import { frenchDevice } from './device.ts';
import { frenchFormat } from './grammar.ts';
import { frenchSchedule, frenchSettings, frenchSetup, frenchWatering } from './irrigation.ts';
import { frenchMail } from './mail.ts';
import { frenchDoubt, frenchSeries } from './moisture.ts';
import { frenchCsvImport, frenchGateway, frenchState, frenchThresholds } from './monitoring.ts';
import { frenchNames } from './names.ts';

import { frenchOverview } from './overview.ts';
import { frenchPage } from './page.ts';
import { frenchPageChart } from './page-chart.ts';
import { frenchRain } from './rain.ts';
import { frenchImportReport, frenchRejections, frenchSkippedColumns } from './rejections.ts';
import { frenchSignIn } from './sign-in.ts';
import { frenchSoil } from './soil.ts';
import { frenchSuggestion } from './suggestion.ts';
import { frenchTension } from './tension.ts';
import { frenchThisDevice } from './this-device.ts';
import { frenchWeather } from './weather.ts';
import { frenchWords } from './words.ts';

export const french: Language = {
  countries: 'FR MC SN CI ML BF BJ TG GN NE GA CG CD GP MQ GF RE YT PM BL MF NC PF WF TF'.split(' '),
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
