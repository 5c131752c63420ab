# frozen_string_literal: true

# Writes the report: one JSON object per line. It needs no library, because the project chooses the versions of those.
module AgentDebugger
  MAX_TEXT = 20_000
  MAX_FRAMES = 60
  MAX_CAUSES = 5

  module Report
    LIBRARIES = %r{/(?:gems|vendor|\.bundle|rubygems-integration)/}

    module_function

    # The folder of the run may be gone, which must not disturb the test.
    def append(entry)
      File.open(ENV.fetch('AGENT_DEBUGGER_REPORT'), 'a') { |file| file.write("#{json(entry)}\n") }
    rescue StandardError
      nil
    end

    def json(value)
      case value
      when Hash then "{#{value.compact.map { |key, item| "#{text(key.to_s)}:#{json(item)}" }.join(',')}}"
      when Array then "[#{value.map { |item| json(item) }.join(',')}]"
      when Integer, true, false then value.to_s
      when Float then value.finite? ? value.to_s : 'null'
      when nil then 'null'
      else text(value.to_s)
      end
    end

    def text(value)
      cut = value.encode('UTF-8', invalid: :replace, undef: :replace)[0, MAX_TEXT]
      "\"#{cut.gsub(/["\\]|[^ -~]/) { |character| escaped(character) }}\""
    end

    def escaped(character)
      return "\\#{character}" if ['"', '\\'].include?(character)

      character.encode('UTF-16BE').unpack('n*').map { |unit| format('\\u%04x', unit) }.join
    end

    def own?(path)
      !path.nil? && path.start_with?("#{Dir.pwd}/") && !LIBRARIES.match?(path)
    end

    # The path of a place. Code of Ruby itself has none.
    def path_of(location)
      location.absolute_path || (location.path.start_with?('<') ? nil : File.expand_path(location.path))
    end

    def error(exception, further: [])
      frames = Values.with(exception, frames_of(exception))
      {
        type: exception.class.name,
        message: exception.message.to_s.gsub(/\A\n+|\n+\z/, ''),
        frames: frames,
        withoutValues: Values.reason(frames),
        occurrence: Values.occurrence(exception),
        causes: causes_of(exception),
        further: further.empty? ? nil : further.map { |other| error(other) },
        **compared(exception)
      }
    end

    def frames_of(exception)
      (exception.backtrace_locations || []).first(2000).filter_map do |location|
        path = path_of(location)
        { path: path, line: location.lineno, name: location.label } if own?(path)
      end.first(MAX_FRAMES)
    end

    def causes_of(exception)
      causes = []
      cause = exception.cause
      while cause && causes.size < MAX_CAUSES
        causes << { type: cause.class.name, message: cause.message.to_s }
        cause = cause.cause
      end
      causes
    end

    # The messages of minitest and RSpec have the values.
    def compared(exception)
      found = /^Expected: (.*?)\n  Actual: (.*)\z/m.match(exception.message.to_s) ||
              /^\s*expected: (.*?)\n\s*got: (.*?)(?:\n\n\(compared using.*|\z)/m.match(exception.message.to_s)
      found ? { expected: found[1], actual: found[2].chomp } : {}
    end
  end
end
