/**
 * Stands for Composer's autoloader where nothing can be installed. It reads composer.json anew in each run, so that a
 * folder which a solution adds there is seen.
 */
export const autoloadScript = `<?php

// Loads the project's classes by its composer.json, and others by where Debian's packages put them.
(static function (string $root): void {
    $json = json_decode((string) @file_get_contents("$root/composer.json"), true) ?: [];
    $rules = ['psr-4' => [], 'psr-0' => [], 'classmap' => [], 'files' => []];
    foreach (['autoload', 'autoload-dev'] as $section) {
        foreach ($rules as $kind => $known) {
            foreach ($json[$section][$kind] ?? [] as $prefix => $paths) {
                foreach ((array) $paths as $path) {
                    $rules[$kind][] = [(string) $prefix, $root . '/' . rtrim($path, '/')];
                }
            }
        }
    }
    $classes = null;
    $inMap = static function (string $class) use ($rules, &$classes): ?string {
        if ($classes === null) {
            $classes = [];
            foreach ($rules['classmap'] as [, $path]) {
                $files = is_dir($path) ? new RecursiveIteratorIterator(new RecursiveDirectoryIterator($path)) : [$path];
                foreach ($files as $file) {
                    if (!preg_match('/\\\\.(?:php|inc)$/', (string) $file)) {
                        continue;
                    }
                    $code = (string) file_get_contents((string) $file);
                    $space = preg_match('/^\\\\s*namespace\\\\s+([\\\\w\\\\\\\\]+)/m', $code, $match) ? $match[1] . '\\\\' : '';
                    preg_match_all('/^\\\\s*(?:abstract\\\\s+|final\\\\s+|readonly\\\\s+)*(?:class|interface|trait|enum)\\\\s+(\\\\w+)/m', $code, $found);
                    foreach ($found[1] as $name) {
                        $classes[strtolower($space . $name)] = (string) $file;
                    }
                }
            }
        }
        return $classes[strtolower($class)] ?? null;
    };
    $places = static function (string $class) use ($rules): iterable {
        foreach ($rules['psr-4'] as [$prefix, $path]) {
            if ($prefix === '' || strpos($class, $prefix) === 0) {
                yield $path . '/' . str_replace('\\\\', '/', substr($class, strlen($prefix))) . '.php';
            }
        }
        $end = strrpos($class, '\\\\');
        $folder = $end === false ? '' : str_replace('\\\\', '/', substr($class, 0, $end + 1));
        $name = str_replace('_', '/', $end === false ? $class : substr($class, $end + 1));
        foreach ($rules['psr-0'] as [$prefix, $path]) {
            if ($prefix === '' || strpos($class, $prefix) === 0) {
                yield "$path/$folder$name.php";
            }
        }
    };
    spl_autoload_register(static function (string $class) use ($places, $inMap): void {
        foreach ($places($class) as $file) {
            if (is_file($file)) {
                require_once $file;
                return;
            }
        }
        $file = $inMap($class) ?? '/usr/share/php/' . str_replace('\\\\', '/', $class) . '.php';
        if (is_file($file)) {
            require_once $file;
        }
    }, true, true);
    foreach ($rules['files'] as [, $file]) {
        require_once $file;
    }
})(dirname(__DIR__));
`
