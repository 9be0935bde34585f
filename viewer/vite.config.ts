import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

/**
 * Inlines script and style into the page, so that it is a single file. The script runs after the page is parsed, like a
 * module, but also from `file:` URLs, where browsers refuse external modules.
 */
const oneFile: Plugin = {
  name: 'one file',
  enforce: 'post',
  generateBundle(_, bundle) {
    const page = bundle['index.html'];
    if (page?.type !== 'asset') throw new Error('vite made no index.html');
    let html = String(page.source);
    for (const [name, file] of Object.entries(bundle)) {
      if (name === 'index.html') continue;
      const text = file.type === 'chunk' ? file.code.replaceAll('</script', '<\\/script') : String(file.source);
      const place =
        file.type === 'chunk' ? /<script type="module"[^>]*src=[^>]*><\/script>/ : /<link rel="stylesheet"[^>]*>/;
      const tag = file.type === 'chunk' ? 'script' : 'style';
      if (!place.test(html)) throw new Error(`index.html has no place for ${name}`);
      html = html.replace(place, '');
      const end = file.type === 'chunk' ? '</body>' : '</head>';
      html = html.replace(end, () => `<${tag}${tag === 'script' ? ' type="module"' : ''}>${text}</${tag}>\n  ${end}`);
      delete bundle[name];
    }
    page.source = html;
  },
};

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  resolve: {
    alias: [
      { find: /^elbowroom$/, replacement: fileURLToPath(new URL('../src/index.ts', import.meta.url)) },
      { find: /^elbowroom\/(\w+)$/, replacement: `${fileURLToPath(new URL('../src/', import.meta.url))}$1.ts` },
    ],
  },
  build: {
    outDir: '../dist/viewer',
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: false,
    cssCodeSplit: false,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: { output: { codeSplitting: false } },
  },
  worker: { format: 'iife' },
  plugins: [oneFile],
});
