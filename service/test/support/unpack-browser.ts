/** A process of its own that unpacks the browser into its temporary folder (TMPDIR), and prints where it is. */
import packagedChromium from '@sparticuz/chromium';

process.stdout.write(await packagedChromium.executablePath());
