// Without an issuer, and with a silent one too.
import './options.test.ts';
