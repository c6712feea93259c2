import { testStopUnderLoad } from '../rest/stop-under-load.ts';

testStopUnderLoad(10, 40);
