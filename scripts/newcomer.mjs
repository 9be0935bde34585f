// What a new user does, door by door, in empty folders and with nothing of this clone in the environment:
// npm run newcomer [-- --only PATTERN] [-- --long]. Prints a table with where each door stopped; exit code 1 if one
// did.
// The clone is a copy of the committed files with this build; --long builds it with npm ci, and makes the site.
import { execFile, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { pack } from './check-package.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { only: { type: 'string', default: '' }, long: { type: 'boolean' } } });
/** Ms after which a command counts as hanging. */
const LIMIT = 600_000;

const home = mkdtempSync(join(tmpdir(), 'newcomer-'));
const clone = join(home, 'elbowroom');
const { PATH, npm_config_cache: cache = join(process.env.HOME ?? home, '.npm') } = process.env;
const environment = { PATH, HOME: home, LANG: 'C.UTF-8', npm_config_cache: cache, npm_config_update_notifier: 'false' };
const chromiumFile = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** A door that cannot be tried on this machine. */
class Skipped extends Error {}

/** Runs a command of a page in a shell, and returns its output. Throws an error with the end of the output. */
function run(command, folder, expected = 0) {
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, env: environment, timeout: LIMIT, maxBuffer: 1 << 26 };
    execFile('bash', ['-c', `set -o pipefail; { ${command}\n} 2>&1`], options, (error, stdout) => {
      const code = error === null ? 0 : (error.code ?? error.signal);
      if (code === expected) return resolve(stdout);
      const lines = stdout.trim().split('\n').slice(-2).join(' / ');
      return reject(new Error(`\`${command.split('\n')[0]}\`: exit code ${code}: ${lines}`));
    });
  });
}

/** Starts a command that serves, and resolves with the first match of what it prints. */
function start(command, folder, pattern) {
  const child = spawn('bash', ['-c', `exec ${command}`], { cwd: folder, env: environment });
  return new Promise((resolve, reject) => {
    let said = '';
    const hear = (chunk) => {
      said += chunk;
      const [match] = pattern.exec(said) ?? [];
      if (match !== undefined) resolve({ match, stop: () => child.kill('SIGTERM') });
    };
    for (const stream of [child.stdout, child.stderr]) stream.on('data', hear);
    child.on('exit', () => reject(new Error(`\`${command}\` ended: ${said.trim().slice(-200)}`)));
  });
}

const page = (name) => readFileSync(join(clone, name), 'utf8');
const folderOf = (name) => {
  const folder = join(home, name);
  mkdirSync(folder, { recursive: true });
  return folder;
};
/** The commands of a page's indented blocks that begin with one of the words. */
const indented = (text, words) =>
  [...text.matchAll(/^ {4}(\S.*)$/gm)]
    .map(([, line]) => line.replace(/\s{2,}#.*$/, ''))
    .filter((line) => words.some((word) => line.startsWith(word)));

/** Writes the files and runs the commands of a page, in their order; returns the number of commands. */
async function follow(name, folder, { replace = (command) => command } = {}) {
  let count = 0;
  for (const [, kind, text] of page(name).matchAll(/```(\w+)\n([\s\S]*?)```/g)) {
    const file = /^(?:.*\n)?(?:#|\/\/|<!--) (\S+\.\w+)/.exec(text)?.[1];
    if (kind !== 'console') {
      if (file !== undefined) writeFileSync(join(folder, file), text);
      continue;
    }
    for (const [, command] of text.matchAll(/^\$ (.*)$/gm)) {
      await run(replace(command), folder);
      count++;
    }
  }
  return `${count} commands`;
}

const doors = {
  async clone() {
    await run(`git clone -q --no-hardlinks ${JSON.stringify(root)} elbowroom`, home);
    if (values.long) await run('npm ci', clone);
    else {
      cpSync(join(root, 'dist'), join(clone, 'dist'), { recursive: true });
      symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
    }
    return values.long ? 'npm ci' : 'with the build of this clone';
  },
  async README() {
    const commands = indented(page('README.md'), ['node bin/', 'npm ci && node bin/']);
    for (const command of commands) await run(command.replace('npm ci && ', ''), clone);
    await run('node examples/plan.mjs', clone);
    return `${commands.length + 1} commands`;
  },
  async tutorial() {
    const folder = folderOf('tutorial');
    const { tarball } = pack(folder);
    return `npm install ${basename(tarball)}, ${await follow('docs/tutorial.md', folder)}`;
  },
  async init() {
    const folder = folderOf('project');
    await run(`node ${clone}/bin/elbowroom.js init cell`, folder);
    await run('npm install --no-audit --no-fund', join(folder, 'cell'));
    await run('npm run plan', join(folder, 'cell'));
    return 'init, npm install, npm run plan';
  },
  async Python() {
    const folder = folderOf('python');
    await run('python3 -m venv env', folder).catch((error) => {
      throw new Skipped(`no virtual environment of Python: ${error.message}`);
    });
    await run(`env/bin/pip install --no-index ${clone}/clients/python`, folder);
    cpSync(join(clone, 'scenes'), join(folder, 'scenes'), { recursive: true });
    cpSync(join(clone, 'robots'), join(folder, 'robots'), { recursive: true });
    const blocks = [...page('docs/python.md').matchAll(/```python\n([\s\S]*?)```/g)];
    for (const [i, [, text]] of blocks.entries()) {
      writeFileSync(join(folder, `example${i}.py`), text);
      await run(`env/bin/python example${i}.py`, folder);
    }
    return `pip install, ${blocks.length} programs`;
  },
  async 'OMPL, C++'() {
    if (!existsSync('/usr/include/ompl-1.5')) throw new Skipped('libompl-dev is not installed');
    const folder = folderOf('ompl');
    const socket = join(folder, 'table.sock');
    const commands = indented(page('docs/ompl.md'), ['node bin/', 'sh ']).map((line) =>
      line.replaceAll('/tmp/table.sock', socket).replace('path.csv', join(folder, 'path.csv')),
    );
    const { stop } = await start(commands[0], clone, /sock/);
    try {
      for (const command of commands.slice(1)) await run(command, clone);
    } finally {
      stop();
    }
    return `${commands.length} commands`;
  },
  async 'ROS 2'() {
    const folder = folderOf('ros');
    const elbowroom = `node ${clone}/bin/elbowroom.js`;
    const count = await follow('docs/ros.md', folder, {
      replace: (command) => command.replace(/^elbowroom/, elbowroom),
    });
    await run(`python3 ${clone}/clients/ros2/send_program.py cycle --print`, folder);
    return `${count}, send_program.py --print`;
  },
  async page() {
    if (!existsSync(chromiumFile)) throw new Skipped(`there is no ${chromiumFile} (CHROMIUM names another)`);
    const browser = await chromium.launch({
      executablePath: chromiumFile,
      args: ['--no-sandbox', '--disable-gpu', '--enable-unsafe-swiftshader'],
    });
    const opened = [];
    try {
      for (const what of ['shelf', 'dispensing', 'ur5e']) {
        const { match, stop } = await start(`node bin/elbowroom.js view ${what} --no-open`, clone, /http:\S+/);
        const tab = await browser.newPage();
        const errors = [];
        tab.on('pageerror', (error) => errors.push(error.message));
        try {
          await tab.goto(match);
          await tab.locator('canvas').first().waitFor({ timeout: 120_000 });
          if (errors.length > 0) throw new Error(`view ${what}: ${errors[0]}`);
          opened.push(what);
        } finally {
          await tab.close();
          stop();
        }
      }
    } finally {
      await browser.close();
    }
    return `view ${opened.join(', ')}`;
  },
  async site() {
    if (!values.long) throw new Skipped('--long makes it');
    await run('npm run site -- --no-api', clone);
    return existsSync(join(clone, 'site/index.html'))
      ? 'npm run site'
      : Promise.reject(new Error('no site/index.html'));
  },
};

const rows = [];
const wanted = new RegExp(values.only, 'i');
for (const [name, walk] of Object.entries(doors)) {
  if (name !== 'clone' && !wanted.test(name)) continue;
  const began = Date.now();
  const [result, what] = await walk().then(
    (done) => ['open', done],
    (error) => (error instanceof Skipped ? ['not tried', error.message] : ['stopped', error.message]),
  );
  rows.push({ name, result, what, seconds: (Date.now() - began) / 1000 });
  console.error(`${name}: ${result} (${rows.at(-1).seconds.toFixed(1)} s): ${what}`);
}
rmSync(home, { recursive: true, force: true });
console.log('| door | result | seconds | what |\n| --- | --- | --: | --- |');
for (const { name, result, what, seconds } of rows)
  console.log(`| ${name} | ${result} | ${seconds.toFixed(1)} | ${what.replaceAll(home, '~').replaceAll('|', '\\|')} |`);
process.exitCode = rows.some(({ result }) => result === 'stopped') ? 1 : 0;
