import { registerHooks } from 'node:module'

// Tells every module that is loaded from a file, one a line.
registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) process.stderr.write(`loaded ${url}\n`)
    return next(url, context)
  },
})
