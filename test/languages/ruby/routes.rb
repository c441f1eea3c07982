require "sinatra/base"

class App < Sinatra::Base
  set :root, __dir__

  get "/items/:id" do
    find(params[:id]).to_s
  end

  namespace "/admin" do
    post("/items") { create }
  end

  def find(id)
    Item.new(id)
  end
end
